/** The dialogs that revoke and rotate a token. */
import { useId, useState } from 'preact/hooks'
import type { Token } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { useService } from '../connection/context.ts'
import { useToken } from '../connection/token.ts'
import { TEXTS } from '../texts.ts'

interface RevokeProperties {
  token: Token
  onRevoked: (token: Token) => void
  onClose: () => void
}

export function RevokeDialog({ token, onRevoked, onClose }: RevokeProperties) {
  const { client } = useService()
  const texts = TEXTS.tokens
  const run = async () => {
    await client.tokens.revoke(token.id)
    onRevoked(token)
  }
  return (
    <ConfirmDialog
      title={texts.revokeTitle(token.name || token.id)}
      text={texts.revokeText}
      confirm={texts.revokeConfirm}
      isDanger
      run={run}
      onClose={onClose}
    />
  )
}

/** Hours for which the old token stays valid. The token of the session is not offered 0: its page would end before the new token is copied. */
const GRACES = [0, 1, 24, 168, 720] as const

interface RotateProperties {
  token: Token
  /** Called with the text of the replacement. */
  onRotated: (text: string) => void
  onClose: () => void
}

export function RotateDialog({ token, onRotated, onClose }: RotateProperties) {
  const { client } = useService()
  const isCurrent = useToken().id === token.id
  const id = useId()
  const [hours, setHours] = useState(24)
  const texts = TEXTS.tokens
  const run = async () => onRotated((await client.tokens.rotate(token.id, { grace_hours: hours })).token)
  return (
    <ConfirmDialog
      title={texts.rotateTitle(token.name || token.id)}
      text={texts.rotateText}
      confirm={texts.rotateConfirm}
      run={run}
      onClose={onClose}
    >
      <div class="field">
        <label for={id}>{texts.grace}</label>
        <select id={id} value={hours} onChange={event => setHours(Number(event.currentTarget.value))}>
          {GRACES.filter(grace => grace > 0 || !isCurrent).map(grace => (
            <option key={grace} value={grace}>
              {texts.graces[grace]}
            </option>
          ))}
        </select>
      </div>
    </ConfirmDialog>
  )
}
