/** A request as code in three languages, to copy. */
import { useState } from 'preact/hooks'
import { useService } from '../connection/service.ts'
import { TEXTS } from '../texts.ts'
import { type ApiCall, codeOf, LANGUAGES, type Language } from '../try/requests.ts'

export function Code({ call }: { call: ApiCall }) {
  const { url } = useService()
  const [language, setLanguage] = useState<Language>('curl')
  const [isCopied, setCopied] = useState(false)
  const text = codeOf[language](call, url)
  const choose = (chosen: Language) => {
    setLanguage(chosen)
    setCopied(false)
  }
  const copy = () =>
    void navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <details class="card code">
      <summary>{TEXTS.code.titles[call.operation]}</summary>
      <div class="row">
        {LANGUAGES.map(one => (
          <button
            key={one}
            type="button"
            class="quiet"
            aria-pressed={one === language}
            onClick={() => choose(one)}
          >
            {TEXTS.code.languages[one]}
          </button>
        ))}
        <button type="button" class="quiet push" onClick={copy}>
          {isCopied ? TEXTS.copied : TEXTS.copy}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region is reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <p class="hint">{TEXTS.code.hint}</p>
    </details>
  )
}
