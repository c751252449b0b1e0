/** The console: the sign-in page, or the pages of a signed-in visitor. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { forgetNotifications } from '../alerts/notifications.tsx'
import { Loaded } from '../components/state.tsx'
import {
  openService,
  ServiceContext,
  sentenceOf,
  serviceUrl,
  useService,
  useStore,
} from '../connection/service.ts'
import {
  type Credential,
  forgetSession,
  storedToken,
  storeToken,
  TokenContext,
} from '../connection/session.ts'
import { currentSession, endSession, linkCode, providerAnswer } from '../connection/sign-in.ts'
import { useTask } from '../connection/task.ts'
import { leaveEnrolment } from '../galleries/running-enrolment.ts'
import { TEXTS } from '../texts.ts'
import { Pages } from './pages.tsx'
import { SignIn } from './sign-in.tsx'

/** `undefined`: not known yet. `null`: the visitor has to sign in. */
type Known = Credential | null | undefined

export function App() {
  const [code] = useState(() => linkCode(location.hash))
  const [answer] = useState(() => providerAnswer(location.search))
  const isSigningIn = code !== undefined || answer !== undefined
  const [known, setKnown] = useState<Known>(() => (isSigningIn ? null : storedCredential()))
  const [notice, setNotice] = useState<string>()
  const url = serviceUrl(location.href)
  useEffect(() => {
    if (known !== undefined) return
    currentSession(url).then(
      csrf => setKnown(csrf === undefined ? null : { csrf }),
      error => {
        setNotice(sentenceOf(error))
        setKnown(null)
      },
    )
  }, [])
  useEffect(() => {
    // A link that is opened in this tab changes the hash alone.
    addEventListener('hashchange', () => linkCode(location.hash) !== undefined && location.reload())
  }, [])
  const service = useMemo(() => {
    const onRefused = () => {
      leaveEnrolment()
      forgetSession()
      setNotice(known && 'csrf' in known ? TEXTS.signIn.sessionEnded : TEXTS.signIn.ended)
      setKnown(null)
    }
    return known ? openService({ url, credential: known, onRefused }) : undefined
  }, [known, url])
  const onToken = (token: string) => {
    storeToken(token)
    setNotice(undefined)
    setKnown({ token })
  }
  if (known === undefined) return null
  if (!service) return <SignIn {...{ url, code, answer, notice, onToken }} />
  return (
    <ServiceContext.Provider value={service}>
      <SignedIn onSignOut={() => void signOut(url, known)} />
    </ServiceContext.Provider>
  )
}

function storedCredential(): Known {
  const token = storedToken()
  return token === undefined ? undefined : { token }
}

/** Asks for the token of the visitor, also after settings have changed. The pages follow when its permissions are known. */
function SignedIn({ onSignOut }: { onSignOut: () => void }) {
  const { client, settings } = useService()
  const token = useTask(signal => client.tokens.current({ signal }), [client], [useStore(settings)])
  if (token.value)
    return (
      <TokenContext.Provider value={token.value}>
        <Pages onSignOut={onSignOut} />
      </TokenContext.Provider>
    )
  return (
    <main id="content" class="stack">
      <Loaded task={token} />
      {token.error !== undefined && (
        <button type="button" onClick={onSignOut}>
          {TEXTS.navigation.signOut}
        </button>
      )}
    </main>
  )
}

/** Loads the page again: its memory and address keep nothing of the session. */
async function signOut(url: string, known: Known) {
  leaveEnrolment()
  if (known && 'csrf' in known) await endSession(url, known.csrf).catch(() => undefined)
  await forgetNotifications().catch(() => undefined)
  forgetSession()
  history.replaceState(null, '', location.pathname)
  location.reload()
}
