/** The console: the sign-in page, or the pages of a signed-in visitor. */
import { useMemo, useState } from 'preact/hooks'
import { ServiceContext } from '../connection/context.ts'
import { openService, serviceUrl } from '../connection/service.ts'
import { forgetSession, storedToken, storeToken } from '../connection/session.ts'
import { TEXTS } from '../texts.ts'
import { SignIn } from './sign-in.tsx'
import { SignedIn } from './signed-in.tsx'

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
  if (!service)
    return (
      <SignIn
        url={url}
        notice={notice}
        onToken={accepted => {
          storeToken(accepted)
          setNotice(undefined)
          setToken(accepted)
        }}
      />
    )
  return (
    <ServiceContext.Provider value={service}>
      <SignedIn onSignOut={signOut} />
    </ServiceContext.Provider>
  )
}

/** Loads the page anew: nothing of the session stays in its memory, nor in its address. */
function signOut(): void {
  forgetSession()
  history.replaceState(null, '', location.pathname)
  location.reload()
}
