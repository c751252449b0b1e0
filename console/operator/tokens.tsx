/** The tokens of the owner: a table with actions, and a form for another one. */
import { useState } from 'preact/hooks'
import type { Token, TokenParameters } from '../../clients/typescript/src/index.ts'
import { TOKEN_LIMITS } from '../../contract/limits/tokens.ts'
import { ConfirmDialog, NewSecret } from '../components/dialog.tsx'
import { InputField, NOT_EMPTY, SelectField } from '../components/fields.tsx'
import { daysLater, IssueForm } from '../components/save-form.tsx'
import { Loaded } from '../components/state.tsx'
import { type Row, RowButton, Table } from '../components/table.tsx'
import { useClient } from '../connection/service.ts'
import { useToken } from '../connection/session.ts'
import { useTask } from '../connection/task.ts'
import { formatDate } from '../format.ts'
import { TEXTS } from '../texts.ts'

type Asked = { action: 'rotate' | 'revoke'; token: Token }

export function Tokens() {
  const client = useClient()
  const current = useToken().id
  const [asked, setAsked] = useState<Asked>()
  const [secret, setSecret] = useState<string>()
  const [revoked, setRevoked] = useState<Token>()
  const [showsEnded, setShowsEnded] = useState(false)
  const list = useTask(signal => client.tokens.list({ signal }).toArray(), [])
  const texts = TEXTS.tokens
  const onSecret = (text: string) => {
    setSecret(text)
    list.reload()
  }
  const revoke = async (token: Token) => {
    await client.tokens.revoke(token.id)
    setRevoked(token)
    list.reload()
  }
  const close = () => setAsked(undefined)
  const ended = list.value?.filter(({ valid }) => !valid).length ?? 0
  return (
    <>
      {revoked && <p role="status">{texts.revoked(revoked.name || revoked.id)}</p>}
      <Loaded task={list} empty={texts.none}>
        {tokens => (
          <Table
            caption={texts.caption}
            columns={texts.columns}
            rows={tokens
              .filter(({ valid }) => valid || showsEnded)
              .map(token => tokenRow(token, token.id === current, action => setAsked({ action, token })))}
            classes={{ actions: 'row-actions' }}
          />
        )}
      </Loaded>
      {ended > 0 && (
        <button type="button" class="quiet" onClick={() => setShowsEnded(!showsEnded)}>
          {showsEnded ? texts.hideEnded : texts.showEnded(ended)}
        </button>
      )}
      <CreateToken onCreated={onSecret} />
      {asked?.action === 'rotate' && (
        <RotateDialog token={asked.token} onRotated={onSecret} onClose={close} />
      )}
      {asked?.action === 'revoke' && (
        <ConfirmDialog
          {...texts.revokeQuestion(asked.token.name || asked.token.id)}
          run={() => revoke(asked.token)}
          onClose={close}
        />
      )}
      {secret !== undefined && (
        <NewSecret text={secret} texts={TEXTS.secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  )
}

/** The actions are there while the token is valid. The session's own token cannot revoke itself. */
function tokenRow(
  token: Token,
  isCurrent: boolean,
  onAsk: (action: Asked['action']) => void,
): Row<keyof typeof TEXTS.tokens.columns> {
  const texts = TEXTS.tokens
  const { id, name, scope, rate, valid, last_used } = token
  const ends = token.revoked ?? token.expires
  const button = (action: Asked['action'], look?: string) => (
    <RowButton
      text={texts[action]}
      label={texts.action(texts[action], name, id)}
      look={look}
      onClick={() => onAsk(action)}
    />
  )
  const used = last_used === undefined ? texts.never : formatDate(last_used)
  return {
    key: id,
    class: valid ? '' : 'muted',
    cells: {
      name: (
        <>
          <span class="row-name">{name || texts.unnamed}</span>
          <small>{texts.id(id)}</small>
          {isCurrent && <span class="badge">{texts.current}</span>}
        </>
      ),
      scope,
      used: isCurrent ? texts.now : used,
      ends: endText(valid, ends),
      rate: rate === undefined ? '–' : texts.perSecond(rate),
      actions: (
        <>
          {valid && token.revoked === undefined && button('rotate')}
          {valid && !isCurrent && button('revoke', 'small danger')}
        </>
      ),
    },
  }
}

function endText(isValid: boolean, ends: string | undefined) {
  if (ends === undefined) return TEXTS.tokens.never
  return isValid ? formatDate(ends) : TEXTS.tokens.ended(ends)
}

interface RotateProperties {
  token: Token
  /** Called with the text of the replacement. */
  onRotated: (text: string) => void
  onClose: () => void
}

function RotateDialog({ token, onRotated, onClose }: RotateProperties) {
  const client = useClient()
  const isCurrent = useToken().id === token.id
  const texts = TEXTS.tokens
  const run = async (fields: FormData) => {
    const grace_hours = Number(fields.get('hours'))
    onRotated((await client.tokens.rotate(token.id, { grace_hours })).token)
  }
  // The page of the session's own token would end before the new one is copied.
  const graces = Object.entries(texts.graces).filter(([hours]) => hours !== '0' || !isCurrent)
  return (
    <ConfirmDialog {...texts.rotateQuestion(token.name || token.id)} run={run} onClose={onClose}>
      <SelectField label={texts.grace} name="hours" options={graces} chosen="24" />
    </ConfirmDialog>
  )
}

/** The form for a new token. */
function CreateToken({ onCreated }: { onCreated: (text: string) => void }) {
  const client = useClient()
  const texts = TEXTS.createToken
  return (
    <IssueForm
      texts={texts}
      read={fields => parametersIn(fields) ?? texts.rateInvalid}
      issue={async parameters => onCreated((await client.tokens.create(parameters)).token)}
    >
      <InputField
        label={texts.name}
        name="name"
        maxLength={255}
        {...NOT_EMPTY}
        placeholder={texts.nameHint}
      />
      <SelectField label={texts.scope} name="scope" options={Object.entries(texts.scopes)} />
      <SelectField label={texts.expires} name="days" options={Object.entries(texts.lifetimes)} chosen="90" />
      <InputField label={texts.rate} name="rate" inputMode="decimal" placeholder={texts.rateHint} />
    </IssueForm>
  )
}

/** Undefined for a rate that a token cannot have. */
function parametersIn(fields: FormData): TokenParameters | undefined {
  const days = Number(fields.get('days'))
  const typed = String(fields.get('rate')).trim().replace(',', '.')
  const rate = typed === '' ? undefined : Number(typed)
  if (rate !== undefined && !(rate >= TOKEN_LIMITS.leastRate && rate <= TOKEN_LIMITS.rate)) return undefined
  return {
    name: String(fields.get('name')).trim(),
    scope: String(fields.get('scope')) as TokenParameters['scope'],
    ...(days > 0 && { expires: daysLater(days) }),
    rate,
  }
}
