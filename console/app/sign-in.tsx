/** The sign-in page: a link, an OpenID provider, a passkey, or a token, which a request checks. */
import { useEffect, useState } from 'preact/hooks'
import { MienError } from '../../clients/typescript/src/index.ts'
import { InputField } from '../components/fields.tsx'
import { Documents, PageHead, Wordmark } from '../components/page.tsx'
import { Problem } from '../components/state.tsx'
import { openService, sentenceOf } from '../connection/service.ts'
import { tokenIn } from '../connection/session.ts'
import { beginAtProvider, enterByPasskey, finishAtProvider, openLink } from '../connection/sign-in.ts'
import { useAction } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  url: string
  /** The secret of the link that led here. */
  code: string | undefined
  /** Answer of the OpenID provider, when it has sent the browser here. */
  answer: string | undefined
  notice: string | undefined
  onToken: (token: string) => void
}

export function SignIn({ url, code, answer, notice, onToken }: Properties) {
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
    <>
      <main class="stack sign-in">
        <p class="wordmark">
          <Wordmark />
        </p>
        <p class="lead">{TEXTS.tagline}</p>
        {isCoreAway && <Problem error={TEXTS.signIn.coreAway} />}
        {code === undefined && <ByProvider url={url} answer={answer} />}
        <WithoutToken url={url} code={code} />
        <form class="card stack tight" onSubmit={event => void submit(event)}>
          <PageHead title={TEXTS.signIn.title} />
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
        </form>
      </main>
      <Documents />
    </>
  )
}

/** A link is spent by a press of the button: another page cannot sign the visitor in unseen. */
function WithoutToken({ url, code }: Pick<Properties, 'url' | 'code'>) {
  const action = useAction()
  const texts = code === undefined ? TEXTS.byPasskey : TEXTS.byLink
  // A visitor whose session has ended comes back to the page.
  const run = () =>
    code === undefined ? enterByPasskey(url).then(() => location.reload()) : openLink(url, code).then(enter)
  return (
    <section class="card stack">
      <p>{texts.text}</p>
      <Problem error={action.problem} />
      <button type="button" class="primary" disabled={action.isRunning} onClick={() => void action.run(run)}>
        {texts.submit}
      </button>
      {/* A link that was used: the visitor may have a session or a passkey. */}
      {code !== undefined && action.problem && (
        <button type="button" onClick={enter}>
          {TEXTS.byLink.without}
        </button>
      )}
    </section>
  )
}

/** An answer is spent at once: its state shows that the visitor began in this browser. */
function ByProvider({ url, answer }: Pick<Properties, 'url' | 'answer'>) {
  const action = useAction()
  useEffect(() => {
    if (answer === undefined) return
    history.replaceState(null, '', location.pathname)
    void action.run(() => finishAtProvider(url, answer).then(enter))
  }, [])
  const name = document.documentElement.dataset.provider
  if (!name && answer === undefined) return null
  return (
    <section class="card stack">
      <Problem error={action.problem} />
      <button
        type="button"
        class="primary"
        disabled={action.isRunning}
        onClick={() => void action.run(() => beginAtProvider(url))}
      >
        {TEXTS.byProvider.submit(name || TEXTS.byProvider.unnamed)}
      </button>
    </section>
  )
}

/** Loads the page with the new session. */
function enter() {
  history.replaceState(null, '', location.pathname)
  location.reload()
}

/** A sentence that says why the token is not accepted. */
async function faultOf(token: string, url: string): Promise<string | undefined> {
  if (token === '') return TEXTS.signIn.empty
  if (!/^[\x21-\x7e]+$/.test(token)) return TEXTS.signIn.malformed
  try {
    await openService({ url, credential: { token }, onRefused: () => undefined }).client.tokens.current()
    return undefined
  } catch (error) {
    return error instanceof MienError && error.status === 401 ? TEXTS.signIn.refused : sentenceOf(error)
  }
}
