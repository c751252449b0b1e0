/** The console: the sign-in page, or the pages of a signed-in visitor. */
import { useMemo, useState } from 'preact/hooks'
import { Loaded } from '../components/state.tsx'
import { openService, ServiceContext, serviceUrl, useService } from '../connection/service.ts'
import { forgetSession, storedToken, storeToken, TokenContext } from '../connection/session.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import { Pages } from './pages.tsx'
import { SignIn } from './sign-in.tsx'

export function App() {
  const [token, setToken] = useState(storedToken)
  const [notice, setNotice] = useState<string>()
  const url = serviceUrl(location.href)
  const service = useMemo(() => {
    const onRefusedToken = () => {
      forgetSession()
      setNotice(TEXTS.signIn.ended)
      setToken(undefined)
    }
    return token === undefined ? undefined : openService({ url, token, onRefusedToken })
  }, [token, url])
  const onToken = (accepted: string) => {
    storeToken(accepted)
    setNotice(undefined)
    setToken(accepted)
  }
  if (!service) return <SignIn url={url} notice={notice} onToken={onToken} />
  return (
    <ServiceContext.Provider value={service}>
      <SignedIn />
    </ServiceContext.Provider>
  )
}

/** Asks for the token of the visitor once. The pages follow when its permissions are known. */
function SignedIn() {
  const { client } = useService()
  const token = useTask(signal => client.tokens.current({ signal }), [client])
  if (token.value)
    return (
      <TokenContext.Provider value={token.value}>
        <Pages onSignOut={signOut} />
      </TokenContext.Provider>
    )
  return (
    <main id="content">
      <Loaded task={token} />
      {token.error !== undefined && (
        <div>
          <button type="button" onClick={signOut}>
            {TEXTS.navigation.signOut}
          </button>
        </div>
      )}
    </main>
  )
}

/** Loads the page again: nothing of the session stays in its memory, nor in its address. */
function signOut(): void {
  forgetSession()
  history.replaceState(null, '', location.pathname)
  location.reload()
}
