/** Users of an owner: invitations, deletion, and the end of their sessions. Core gets hashes of links, never their texts. */
import { randomBytes } from 'node:crypto'
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { TOKEN_LIMITS } from '../../../contract/limits/tokens.ts'
import type { User } from '../../../contract/model/user.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import { endWithNotifications } from '../../metadata/access/tokens.ts'
import {
  deletePasskeys,
  deleteUser,
  insertUser,
  setLink,
  userOfSession,
  usersOf,
} from '../../metadata/access/users.ts'
import type { Handlers } from '../services.ts'

/** End of a link in microseconds since 1970. Throws BAD_PARAM for an end in the past or too far ahead. */
function linkEnd(expires: number | undefined, now: number) {
  if (expires === undefined) return now + TOKEN_LIMITS.invitationMs * 1000
  if (expires > now && expires <= now + TOKEN_LIMITS.longestInvitationMs * 1000) return expires
  throw badParam(
    'expires',
    timestampText(expires),
    'expires: expected a time to come, within the next 30 days.',
  )
}

const unknownUser = (id: string) => new ServiceError('NOT_FOUND', { reason: `There is no user ${id}.` })

type KnownUser = Awaited<ReturnType<typeof usersOf>>[number]

/** User of a response. `now` is in microseconds. */
const userAnswer = (user: KnownUser, now: number): User => ({
  id: user.id,
  name: user.name,
  role: user.role,
  created: timestampText(user.created),
  has_passkey: user.passkeys.length > 0,
  passkeys: user.passkeys.map(({ id, name, created, challenged }) => ({
    id,
    name,
    created: timestampText(created),
    // The challenge of a new passkey is older than the passkey.
    ...(challenged > created && { last_used: timestampText(challenged) }),
  })),
  ...(user.subject !== null && { by_provider: true as const }),
  ...(user.linkExpires !== null &&
    user.linkExpires > now && { invited_until: timestampText(user.linkExpires) }),
  sessions: user.sessions.map(({ id, created, expires, used }) => ({
    id,
    created: timestampText(created),
    expires: timestampText(expires ?? created),
    ...(used !== null && { last_used: timestampText(used) }),
  })),
})

export const userHandlers = {
  async 'users.list'({ database, now }, { owner }) {
    const time = now() * 1000
    return { users: (await usersOf(database, owner, time)).map(user => userAnswer(user, time)) }
  },

  async 'user.invite'({ database, now }, { owner, by, name, role, again, lost, link, expires }) {
    const created = now() * 1000
    const linkExpires = linkEnd(expires, created)
    const named = async () => (await usersOf(database, owner, created)).find(user => user.name === name)
    const known = await named()
    if (known && !again)
      throw badParam('name', name, 'There is a user of this name. With `again`, this user gets another link.')
    if (known?.subject)
      throw badParam('name', name, 'This user signs in at the OpenID provider, and needs no link.')
    if (lost && !known) throw badParam('name', name, 'There is no user of this name.')
    const id = known?.id ?? randomBytes(6).toString('hex')
    if (known) await setLink(database, { owner, id, link, linkExpires, linkOpens: false })
    else await insertUser(database, { id, owner, name, role, created, link, linkExpires })
    // After the link: an older one cannot add another passkey.
    if (lost) await deletePasskeys(database, { owner, user: id, but: by })
    const user = await named()
    if (!user) throw unknownUser(id)
    return { user: userAnswer(user, created) }
  },

  async 'user.delete'({ database }, { owner, by, id }) {
    if ((await userOfSession(database, owner, by)) === id)
      throw badParam('id', id, 'This is the user of the request. Another administrator can delete them.')
    if (!(await deleteUser(database, owner, id))) throw unknownUser(id)
    return {}
  },

  async 'passkey.delete'({ database, now }, { owner, by, id }) {
    const users = await usersOf(database, owner, now() * 1000)
    const user = users.find(({ passkeys }) => passkeys.some(passkey => passkey.id === id))?.id
    if (user === undefined) throw new ServiceError('NOT_FOUND', { reason: `There is no passkey ${id}.` })
    await deletePasskeys(database, { owner, user, passkey: id, but: by })
    return { user }
  },

  /** Also signs out: the request may belong to the session. */
  async 'session.end'({ database, now }, { owner, id }) {
    const isSession = (await userOfSession(database, owner, id)) !== undefined
    if (!isSession || !(await endWithNotifications(database, { id, owner }, now() * 1000)))
      throw new ServiceError('NOT_FOUND', { reason: `There is no session ${id}.` })
    return {}
  },
} satisfies Partial<Handlers>
