/** The sign-in page: asks for a token and checks it with a request. */
import { useState } from 'preact/hooks'
import { MienError } from '../../clients/typescript/src/index.ts'
import { InputField } from '../components/fields.tsx'
import { Documents, Wordmark } from '../components/page.tsx'
import { Problem } from '../components/state.tsx'
import { openService, sentenceOf } from '../connection/service.ts'
import { tokenIn } from '../connection/session.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  url: string
  notice: string | undefined
  onToken: (token: string) => void
}

export function SignIn({ url, notice, onToken }: Properties) {
  const [problem, setProblem] = useState(notice)
  const [isChecking, setChecking] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const token = tokenIn(String(new FormData(event.currentTarget as HTMLFormElement).get('token')))
    setChecking(true)
    const fault = await faultOf(token, url)
    setChecking(false)
    setProblem(fault)
    if (fault === undefined) onToken(token)
  }
  const isCoreAway = document.documentElement.dataset.core === 'away'
  return (
    <div class="sign-in">
      <main>
        <p class="wordmark">
          <Wordmark />
        </p>
        <p class="tagline">{TEXTS.tagline}</p>
        {isCoreAway && <Problem error={TEXTS.signIn.coreAway} />}
        <form class="card" onSubmit={event => void submit(event)}>
          <h1>{TEXTS.signIn.title}</h1>
          {/* A text field would be kept by the history of the form. */}
          <InputField
            label={TEXTS.signIn.token}
            name="token"
            type="password"
            spellcheck={false}
            placeholder="mien_…"
          />
          <Problem error={problem} />
          <button type="submit" class="primary" disabled={isChecking}>
            {isChecking ? TEXTS.signIn.checking : TEXTS.signIn.submit}
          </button>
          <p class="hint">{TEXTS.signIn.hint}</p>
          <p class="hint">
            {TEXTS.signIn.create} <code>{TEXTS.signIn.command}</code>
          </p>
        </form>
      </main>
      <Documents />
    </div>
  )
}

/** A sentence that says why the token is not accepted. */
async function faultOf(token: string, url: string): Promise<string | undefined> {
  if (token === '') return TEXTS.signIn.empty
  if (!/^[\x21-\x7e]+$/.test(token)) return TEXTS.signIn.malformed
  try {
    await openService({ url, token, onRefusedToken: () => undefined }).client.tokens.current()
    return undefined
  } catch (error) {
    return error instanceof MienError && error.status === 401 ? TEXTS.signIn.refused : sentenceOf(error)
  }
}
