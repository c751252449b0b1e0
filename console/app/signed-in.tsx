/** Asks for the token of the visitor once. The pages follow when its permissions are known. */
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TokenContext } from '../connection/token.ts'
import { TEXTS } from '../texts.ts'
import { Pages } from './pages.tsx'

export function SignedIn({ onSignOut }: { onSignOut: () => void }) {
  const { client } = useService()
  const token = useTask(signal => client.tokens.current({ signal }), [client])
  if (token.state === 'done')
    return (
      <TokenContext.Provider value={token.value}>
        <Pages onSignOut={onSignOut} />
      </TokenContext.Provider>
    )
  return (
    <main id="content">
      {token.state !== 'failed' && <Status text={TEXTS.loading} />}
      {token.state === 'failed' && (
        <>
          <Problem error={token.error} onRetry={token.retry} />
          <div>
            <button type="button" onClick={onSignOut}>
              {TEXTS.navigation.signOut}
            </button>
          </div>
        </>
      )}
    </main>
  )
}
