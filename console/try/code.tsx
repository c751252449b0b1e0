/** Code to copy: a command, or a request in three languages. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useService } from '../connection/service.ts'
import { TEXTS } from '../texts.ts'
import { type ApiCall, codeOf, LANGUAGES, type Language } from '../try/requests.ts'

interface CodeTextProperties {
  text: string
  /** Beside the button. */
  children?: ComponentChildren
}

/** A text with a button that copies it. */
export function CodeText({ text, children }: CodeTextProperties) {
  const [copied, setCopied] = useState<string>()
  const copy = () =>
    void navigator.clipboard?.writeText(text).then(
      () => setCopied(text),
      () => setCopied(undefined),
    )
  return (
    <>
      <div class="row">
        {children}
        <button type="button" class="quiet push" onClick={copy}>
          {copied === text ? TEXTS.copied : TEXTS.copy}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region is reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </>
  )
}

export function Code({ call }: { call: ApiCall }) {
  const { url } = useService()
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <details class="card code">
      <summary>{TEXTS.code.titles[call.operation]}</summary>
      <CodeText text={codeOf[language](call, url)}>
        {LANGUAGES.map(one => (
          <button
            key={one}
            type="button"
            class="quiet"
            aria-pressed={one === language}
            onClick={() => setLanguage(one)}
          >
            {TEXTS.code.languages[one]}
          </button>
        ))}
      </CodeText>
      <p class="hint">{TEXTS.code.hint}</p>
    </details>
  )
}
