/** The tokens of the owner: a table with actions, and a form for another one. */
import { useState } from 'preact/hooks'
import type { Token } from '../../clients/typescript/src/index.ts'
import { NewSecret } from '../components/new-secret.tsx'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import { CreateToken } from './create-token.tsx'
import { RevokeDialog, RotateDialog } from './token-dialogs.tsx'
import { TokenRow } from './token-row.tsx'

type Asked = { action: 'rotate' | 'revoke'; token: Token }

export function Tokens() {
  const { client } = useService()
  const [changes, setChanges] = useState(0)
  const [last, setLast] = useState<Token[]>([])
  const [asked, setAsked] = useState<Asked>()
  const [secret, setSecret] = useState<string>()
  const [revoked, setRevoked] = useState<Token>()
  const [showsEnded, setShowsEnded] = useState(false)
  const list = useTask(signal => client.tokens.list({ signal }).toArray(), [changes])
  if (list.state === 'done' && list.value !== last) setLast(list.value)

  const onSecret = (text: string) => {
    setAsked(undefined)
    setSecret(text)
    setChanges(changes + 1)
  }
  const onRevoked = (token: Token) => {
    setAsked(undefined)
    setRevoked(token)
    setChanges(changes + 1)
  }
  const ended = last.filter(({ valid }) => !valid)
  return (
    <>
      {list.state === 'running' && last.length === 0 && <Status text={TEXTS.loading} />}
      {list.state === 'failed' && <Problem error={list.error} onRetry={list.retry} />}
      {revoked && <p role="status">{TEXTS.tokens.revoked(revoked.name || revoked.id)}</p>}
      {last.length > 0 && (
        <div class="table-card">
          <table class="stacked">
            <caption>{TEXTS.tokens.caption}</caption>
            <thead>
              <tr>
                {Object.entries(TEXTS.tokens.columns).map(([column, name]) => (
                  <th key={column} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {last
                .filter(({ valid }) => valid || showsEnded)
                .map(token => (
                  <TokenRow
                    key={token.id}
                    token={token}
                    onRotate={() => setAsked({ action: 'rotate', token })}
                    onRevoke={() => setAsked({ action: 'revoke', token })}
                  />
                ))}
            </tbody>
          </table>
        </div>
      )}
      {ended.length > 0 && (
        <div>
          <button type="button" class="quiet" onClick={() => setShowsEnded(!showsEnded)}>
            {showsEnded ? TEXTS.tokens.hideEnded : TEXTS.tokens.showEnded(ended.length)}
          </button>
        </div>
      )}
      <CreateToken onCreated={onSecret} />
      {asked?.action === 'rotate' && (
        <RotateDialog token={asked.token} onRotated={onSecret} onClose={() => setAsked(undefined)} />
      )}
      {asked?.action === 'revoke' && (
        <RevokeDialog token={asked.token} onRevoked={onRevoked} onClose={() => setAsked(undefined)} />
      )}
      {secret !== undefined && (
        <NewSecret text={secret} texts={TEXTS.secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  )
}
