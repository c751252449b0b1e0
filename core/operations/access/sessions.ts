/** Opens sessions: by a one-time link, by a passkey, or by an OpenID provider. */
import { randomBytes } from 'node:crypto'
import { concurrencyLimit } from '../../../contract/concurrency-limit.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { PROVIDER_LIMITS, TOKEN_LIMITS } from '../../../contract/limits/tokens.ts'
import type { RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { ownerFor } from '../../metadata/access/owners.ts'
import { endWithNotifications } from '../../metadata/access/tokens.ts'
import {
  addPasskey,
  deleteSubject,
  insertSession,
  keepSubject,
  noteAnswer,
  passkeyOf,
  type StoredUser,
  spendLink,
  userActor,
  userOfLink,
} from '../../metadata/access/users.ts'
import { brokenConstraint } from '../../metadata/revisions.ts'
import type { Services } from '../services.ts'
import {
  challengeFor,
  NO_PASSKEY,
  type Place,
  passkeyIdIn,
  registrationOptions,
  signInOptions,
  timeOf,
  verifiedRegistration,
  verifiedSignIn,
} from './passkeys.ts'
import type { Provider } from './provider.ts'

type SessionServices = Pick<Services, 'database' | 'links' | 'now' | 'record'>

type SignIn = RpcRequest<'session.open'>

/** The user and the way of a sign-in, for the audit log; or the options that the browser needs for a passkey. */
type Outcome =
  | { user: StoredUser; by: 'link' | 'invitation' | 'passkey' | 'provider'; passkey?: string }
  | { options: object }
  | { location: string; attempt: string }

/**
 * Returns the handler of sign-ins. Links and passkeys cannot be guessed, so failures are not limited. At most
 * TOKEN_LIMITS.signInsAtOnce sign-ins run at a time. An answer of the provider takes none while core waits for it.
 */
export function sessionOpener(services: SessionServices, provider?: Provider) {
  const { signInsAtOnce, signInWaitMs } = TOKEN_LIMITS
  const limited = concurrencyLimit(signInsAtOnce, signInWaitMs, () => new ServiceError('SERVICE_UNAVAILABLE'))
  return async (request: SignIn): Promise<RpcResponse<'session.open'>> => {
    const place = { keys: services.links(), origin: request.origin, now: services.now() * 1000 }
    const enter = () => signIn(services, place, request, provider)
    const outcome = await (request.provider ? enter() : limited(enter))
    if (!('user' in outcome)) return outcome
    await open(services, outcome, request.session)
    return {}
  }
}

function signIn(
  services: SessionServices,
  place: Place,
  request: SignIn,
  provider: Provider | undefined,
): Promise<Outcome> {
  const { code, credential } = request
  if (code !== undefined) return byLink(services, place, code, request)
  if (request.provider) return byProvider(services, place, provider, request.provider)
  return credential === undefined
    ? signInOptions(place).then(options => ({ options }))
    : byPasskey(services, place, credential)
}

/** A link of `mien start` is spent at once, an invitation by its passkey. */
async function byLink(
  { database }: SessionServices,
  place: Place,
  code: string,
  { credential, device = '' }: SignIn,
): Promise<Outcome> {
  const user = await userOfLink(database, code, place.now)
  if (!user) throw endedLink()
  if (user.linkOpens) {
    if (await spendLink(database, code)) return { user, by: 'link' }
    throw endedLink()
  }
  if (credential === undefined) return { options: await registrationOptions(place, code, user) }
  const passkey = await verifiedRegistration(place, code, credential)
  if (!passkey) throw refusedPasskey()
  await addPasskey(database, code, { ...passkey, name: device, created: place.now }).catch(error => {
    const kind = brokenConstraint(error)?.kind
    // Another user has this passkey. Its id is not secret.
    if (kind === 'unique') throw refusedPasskey()
    throw kind === 'null' ? endedLink() : error
  })
  return { user, by: 'invitation', passkey: passkey.id }
}

async function byPasskey({ database }: SessionServices, place: Place, credential: unknown): Promise<Outcome> {
  const id = passkeyIdIn(credential)
  const known = await passkeyOf(database, id)
  const answer = await verifiedSignIn(place, known?.passkey ?? NO_PASSKEY, credential)
  if (!known || !answer || !(await noteAnswer(database, { id, ...answer }))) throw refusedPasskey()
  return { user: known.user, by: 'passkey', passkey: id }
}

/**
 * The groups at this time give the role, also for the open sessions of the user. A user who has lost all groups is deleted
 * with all sessions. An attempt belongs to one browser and origin; the provider accepts its code once.
 */
async function byProvider(
  { database, now, record }: SessionServices,
  { keys, ...place }: Place,
  provider: Provider | undefined,
  { attempt = '', answer }: NonNullable<SignIn['provider']>,
): Promise<Outcome> {
  if (!provider) throw refuse('This service has no OpenID provider.')
  const { origin } = place
  const purpose = `provider ${origin}`
  if (answer === '') {
    const attempt = challengeFor(keys, purpose, place.now)
    return { attempt, location: await provider.begin({ attempt, origin }) }
  }
  if (timeOf(keys, purpose, attempt, place.now, PROVIDER_LIMITS.attemptMs) === undefined)
    throw refuse('The sign-in began in another browser, or too long ago. Begin again.')
  const { subject, name, role } = await provider.finish({ attempt, origin }, answer)
  if (!role) {
    const user = await deleteSubject(database, subject)
    if (user) {
      const { id, owner } = user
      await record({ actor: userActor(user), owner, action: 'user.delete', subject: { user: id } })
    }
    throw refuse(`${provider.name} knows you as ${name}, but none of your groups has access to this service.`)
  }
  const owner = await ownerFor(database, provider.owner)
  if (owner === undefined)
    throw refuse('The operator of this service has to name an existing owner in MIEN_OIDC_OWNER.')
  const fresh = { id: randomBytes(6).toString('hex'), owner, subject, name, role, created: now() * 1000 }
  const user = await keepSubject(database, fresh).catch(error => {
    if (brokenConstraint(error)?.kind !== 'unique') throw error
    throw refuse(`Another user of this service is called ${name}. An administrator can remove them.`)
  })
  return { user, by: 'provider' }
}

const refuse = (reason: string) => new ServiceError('AUTH_FAILED', { reason })

async function open(
  { database, now, record }: SessionServices,
  { user, by, passkey }: Extract<Outcome, { user: StoredUser }>,
  hash: string,
) {
  const id = randomBytes(6).toString('hex')
  const created = now() * 1000
  const expires = created + TOKEN_LIMITS.sessionMs * 1000
  await insertSession(database, user, { id, hash, created, expires }, TOKEN_LIMITS.sessions)
  // A removal of the passkey ends existing sessions only. This one is new: end it when the passkey is gone.
  if (passkey !== undefined && !(await passkeyOf(database, passkey))) {
    await endWithNotifications(database, { id, owner: user.owner }, created)
    throw refusedPasskey()
  }
  const subject = { token: id, by }
  await record({ actor: userActor(user), owner: user.owner, action: 'session.create', subject })
}

const endedLink = () => refuse('The link is used, replaced or too old. Ask for a new one.')

const refusedPasskey = () => refuse('The passkey is not accepted. Try again, or ask for a new invitation.')
