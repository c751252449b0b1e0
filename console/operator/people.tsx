/** People with access: their names, roles and sessions, and invitations. */
import { useState } from 'preact/hooks'
import type { Invitation, User } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog, NewSecret } from '../components/dialog.tsx'
import { InputField, NOT_EMPTY, SelectField } from '../components/fields.tsx'
import { daysLater, IssueForm } from '../components/save-form.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { type Row, RowButton, Table } from '../components/table.tsx'
import { useClient } from '../connection/service.ts'
import { useToken } from '../connection/session.ts'
import { useAction, useTask } from '../connection/task.ts'
import { formatDate } from '../format.ts'
import { HTTPS_HELP } from '../help/documents.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

/** Names of this computer, which lead others to themselves. */
const LOCAL = /^(localhost|127\.[\d.]+|\[::1\])$/

const invitationTexts = (link: string) =>
  LOCAL.test(new URL(link).hostname)
    ? { ...TEXTS.invitation, text: TEXTS.invitation.local }
    : TEXTS.invitation

type Action = 'link' | 'lost' | 'signOut' | 'remove'
type Passkey = User['passkeys'][number]
type Asked =
  | { action: Action; user: User }
  | { action: 'removePasskey'; user: User; passkey: Passkey }
  | { action: 'endOwn'; user: User }

export function People() {
  const client = useClient()
  const { id: ownSession, user: own } = useToken()
  const [asked, setAsked] = useState<Asked>()
  const [link, setLink] = useState<string>()
  const [done, setDone] = useState<string>()
  const ending = useAction()
  const isLocal = LOCAL.test(location.hostname)
  const list = useTask(signal => client.users.list({ signal }).toArray(), [])
  const texts = TEXTS.users
  const onLink = (made: string) => {
    setLink(made)
    list.reload()
  }
  const again = async ({ name, role }: User, lost: boolean) =>
    onLink((await client.users.invite({ name, role, again: true, lost })).link)
  const actions: Record<Action, (user: User) => Promise<unknown>> = {
    link: user => again(user, false),
    async lost(user) {
      await again(user, true)
      setDone(texts.lostDone(user.name))
    },
    signOut: ({ sessions }) => Promise.all(sessions.map(({ id }) => client.users.endSession(id))),
    async remove({ id, name }) {
      await client.users.delete(id)
      setDone(texts.removed(name))
    },
  }
  const run = async (asked: Asked) => {
    if (asked.action === 'removePasskey') await client.users.deletePasskey(asked.passkey.id)
    else if (asked.action === 'endOwn') await client.users.endSession(ownSession)
    else await actions[asked.action](asked.user)
    list.reload()
  }
  return (
    <>
      <p class="lead">{texts.intro}</p>
      {done !== undefined && <p role="status">{done}</p>}
      {isLocal && (
        <p class="note">
          {TEXTS.invitation.localNote} <a href={hashOf(HTTPS_HELP)}>{TEXTS.invitation.localHelp}</a>
        </p>
      )}
      <Problem error={ending.problem} />
      <Loaded task={list} empty={texts.none}>
        {users => (
          <Table
            caption={texts.caption}
            columns={texts.columns}
            rows={users.map(user =>
              userRow(user, user.id === own, ownSession, {
                onAsk: action => setAsked({ action, user }),
                onPasskey: passkey => setAsked({ action: 'removePasskey', user, passkey }),
                onEnd: id =>
                  id === ownSession
                    ? setAsked({ action: 'endOwn', user })
                    : void ending.run(() => client.users.endSession(id).then(list.reload)),
              }),
            )}
            classes={{ actions: 'row-actions' }}
          />
        )}
      </Loaded>
      <Invite onLink={onLink} />
      {asked && (
        <ConfirmDialog
          {...texts[`${asked.action}Question`](asked.user.name)}
          run={() => run(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {link !== undefined && (
        <NewSecret text={link} texts={invitationTexts(link)} onClose={() => setLink(undefined)} />
      )}
    </>
  )
}

/** Users have no button that removes themselves or ends all their own sessions. */
function userRow(
  user: User,
  isOwn: boolean,
  ownSession: string,
  {
    onAsk,
    onPasskey,
    onEnd,
  }: {
    onAsk: (action: Action) => void
    onPasskey: (passkey: Passkey) => void
    onEnd: (session: string) => void
  },
): Row<keyof typeof TEXTS.users.columns> {
  const texts = TEXTS.users
  const { id, name, role, has_passkey, passkeys, by_provider, invited_until, sessions } = user
  const [lastUse] = [...sessions, ...passkeys]
    .flatMap(({ last_used, created }) => last_used ?? created)
    .sort()
    .reverse()
  const state = invited_until === undefined ? texts.lapsed : texts.invited(formatDate(invited_until))
  const button = (action: Action, look?: string) => (
    <RowButton
      text={texts[action]}
      label={texts.action(texts[action], name)}
      look={look}
      onClick={() => onAsk(action)}
    />
  )
  return {
    key: id,
    cells: {
      name: (
        <>
          <span class="row-name">{name}</span> {by_provider && <small>{texts.byProvider}</small>}
          {!by_provider && !has_passkey && sessions.length === 0 && <small>{state}</small>}
          {isOwn && <span class="badge">{texts.you}</span>}
        </>
      ),
      role: texts.roles[role],
      passkeys:
        passkeys.length === 0
          ? texts.noPasskey
          : passkeys.map(passkey => (
              <div key={passkey.id} class="row">
                <span>{passkey.name || texts.unnamed}</span>
                <small>{texts.made(formatDate(passkey.created))}</small>
                <small>
                  {passkey.last_used === undefined
                    ? texts.unused
                    : texts.lastUsed(formatDate(passkey.last_used))}
                </small>
                <RowButton
                  text={texts.remove}
                  label={texts.removePasskey(passkey.name || texts.unnamed, name)}
                  look="small danger"
                  onClick={() => onPasskey(passkey)}
                />
              </div>
            )),
      used: lastUse === undefined ? texts.never : formatDate(lastUse),
      sessions:
        sessions.length === 0
          ? texts.nowhere
          : sessions.map(({ id, created, last_used = created }) => (
              <div key={id} class="row">
                <small>{texts.session(formatDate(created), formatDate(last_used))}</small>
                {id === ownSession && <span class="badge">{texts.here}</span>}
                <RowButton
                  text={texts.end}
                  label={texts.endSession(name, formatDate(created))}
                  onClick={() => onEnd(id)}
                />
              </div>
            )),
      actions: (
        <>
          {!by_provider && button('link')}
          {has_passkey && button('lost')}
          {!isOwn && sessions.length > 0 && button('signOut')}
          {!isOwn && button('remove', 'small danger')}
        </>
      ),
    },
  }
}

function Invite({ onLink }: { onLink: (link: string) => void }) {
  const client = useClient()
  const texts = TEXTS.invite
  return (
    <IssueForm<Invitation>
      texts={texts}
      read={fields => ({
        name: String(fields.get('name')).trim(),
        role: String(fields.get('role')) as Invitation['role'],
        expires: daysLater(Number(fields.get('days'))),
      })}
      issue={async invitation => onLink((await client.users.invite(invitation)).link)}
    >
      <InputField label={texts.name} name="name" maxLength={80} {...NOT_EMPTY} placeholder={texts.nameHint} />
      <SelectField label={texts.role} name="role" options={Object.entries(texts.roles)} />
      <SelectField label={texts.ends} name="days" options={Object.entries(texts.lifetimes)} chosen="3" />
    </IssueForm>
  )
}
