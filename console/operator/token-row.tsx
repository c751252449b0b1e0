/** A token in the table. Its actions are there while it is valid; the session's own token cannot revoke itself. */
import type { Token } from '../../clients/typescript/src/index.ts'
import { useToken } from '../connection/token.ts'
import { formatDate } from '../format.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  token: Token
  onRotate: () => void
  onRevoke: () => void
}

export function TokenRow({ token, onRotate, onRevoke }: Properties) {
  const { columns, ...texts } = TEXTS.tokens
  const isCurrent = useToken().id === token.id
  const ends = token.revoked ?? token.expires
  const action = (text: string, onClick: () => void, name: string) => (
    <button
      type="button"
      class={name}
      aria-label={texts.action(text, token.name, token.id)}
      onClick={onClick}
    >
      {text}
    </button>
  )
  return (
    <tr class={token.valid ? '' : 'ended'}>
      <th scope="row" data-label={columns.name}>
        <span class="row-name">{token.name || texts.unnamed}</span>
        <small>{texts.id(token.id)}</small>
        {isCurrent && <span class="badge">{texts.current}</span>}
      </th>
      <td data-label={columns.scope}>{token.scope}</td>
      <td data-label={columns.used}>{usedText(token, isCurrent)}</td>
      <td data-label={columns.ends}>{endText(token.valid, ends)}</td>
      <td data-label={columns.rate}>{token.rate === undefined ? '–' : texts.perSecond(token.rate)}</td>
      <td class="row-actions">
        {token.valid && token.revoked === undefined && action(texts.rotate, onRotate, 'small')}
        {token.valid && !isCurrent && action(texts.revoke, onRevoke, 'small danger')}
      </td>
    </tr>
  )
}

function usedText({ last_used }: Token, isCurrent: boolean): string {
  if (isCurrent) return TEXTS.tokens.now
  return last_used === undefined ? TEXTS.tokens.never : formatDate(last_used)
}

function endText(isValid: boolean, ends: string | undefined): string {
  if (ends === undefined) return TEXTS.tokens.never
  return isValid ? formatDate(ends) : TEXTS.tokens.ended(ends)
}
