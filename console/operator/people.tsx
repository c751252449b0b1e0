/** People with access: who they are, what they may do, their sessions, and invitations. */
import { useState } from 'preact/hooks'
import type { Invitation, User } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog, NewSecret } from '../components/dialog.tsx'
import { InputField, NAMED, SelectField } from '../components/fields.tsx'
import { useSaveForm } from '../components/save-form.tsx'
import { Loaded, Problem } from '../components/state.tsx'
import { type Row, Table } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
import { useToken } from '../connection/session.ts'
import { useTask } from '../connection/task.ts'
import { formatDate } from '../format.ts'
import { TEXTS } from '../texts.ts'

type Action = 'link' | 'signOut' | 'remove'
type Asked = { action: Action; user: User }

export function People() {
  const { client } = useService()
  const own = useToken().user
  const [asked, setAsked] = useState<Asked>()
  const [link, setLink] = useState<string>()
  const [removed, setRemoved] = useState<string>()
  const list = useTask(signal => client.users.list({ signal }).toArray(), [])
  const texts = TEXTS.users
  const onLink = (made: string) => {
    setLink(made)
    list.reload()
  }
  const actions: Record<Action, (user: User) => Promise<unknown>> = {
    link: async ({ name, role }) => onLink((await client.users.invite({ name, role, again: true })).link),
    signOut: ({ sessions }) => Promise.all(sessions.map(({ id }) => client.users.endSession(id))),
    async remove({ id, name }) {
      await client.users.delete(id)
      setRemoved(name)
    },
  }
  const run = async ({ action, user }: Asked) => {
    await actions[action](user)
    list.reload()
  }
  return (
    <>
      <p class="lead">{texts.intro}</p>
      {removed !== undefined && <p role="status">{texts.removed(removed)}</p>}
      <Loaded task={list} empty={texts.none}>
        {users => (
          <Table
            caption={texts.caption}
            columns={texts.columns}
            rows={users.map(user => userRow(user, user.id === own, action => setAsked({ action, user })))}
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
        <NewSecret text={link} texts={TEXTS.invitation} onClose={() => setLink(undefined)} />
      )}
    </>
  )
}

/** Nobody can remove themselves, nor end the session of this page among others. */
function userRow(
  user: User,
  isOwn: boolean,
  onAsk: (action: Action) => void,
): Row<keyof typeof TEXTS.users.columns> {
  const texts = TEXTS.users
  const { id, name, role, has_passkey, by_provider, invited_until, sessions } = user
  const [lastUse] = sessions
    .flatMap(({ last_used, created }) => last_used ?? created)
    .sort()
    .reverse()
  const state = invited_until === undefined ? texts.lapsed : texts.invited(formatDate(invited_until))
  const button = (action: Action, look: string) => (
    <button
      type="button"
      class={look}
      aria-label={texts.action(texts[action], name)}
      onClick={() => onAsk(action)}
    >
      {texts[action]}
    </button>
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
      used: lastUse === undefined ? texts.never : formatDate(lastUse),
      sessions: sessions.length === 0 ? texts.nowhere : texts.signedIn(sessions.length),
      actions: (
        <>
          {!by_provider && button('link', 'small')}
          {!isOwn && sessions.length > 0 && button('signOut', 'small')}
          {!isOwn && button('remove', 'small danger')}
        </>
      ),
    },
  }
}

const DAY_MS = 86_400_000

function Invite({ onLink }: { onLink: (link: string) => void }) {
  const { client } = useService()
  const texts = TEXTS.invite
  const { action, attributes } = useSaveForm<Invitation>({
    read: fields => ({
      name: String(fields.get('name')).trim(),
      role: String(fields.get('role')) as Invitation['role'],
      expires: new Date(Date.now() + Number(fields.get('days')) * DAY_MS).toISOString(),
    }),
    async save(invitation, form) {
      const { link } = await client.users.invite(invitation)
      ;(form.elements.namedItem('name') as HTMLInputElement).value = ''
      onLink(link)
    },
  })
  return (
    <form class="card stack" {...attributes}>
      <h2>{texts.title}</h2>
      <div class="fields">
        <InputField label={texts.name} name="name" maxLength={80} {...NAMED} placeholder={texts.nameHint} />
        <SelectField label={texts.role} name="role" options={Object.entries(texts.roles)} />
        <SelectField label={texts.ends} name="days" options={Object.entries(texts.lifetimes)} chosen="3" />
      </div>
      <Problem error={action.problem} />
      <div>
        <button type="submit" class="primary" disabled={action.isRunning}>
          {texts.submit}
        </button>
      </div>
    </form>
  )
}
