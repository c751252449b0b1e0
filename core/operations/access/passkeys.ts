/**
 * Passkeys: options for browsers, and the verification of what authenticators answer. A challenge is signed and has a time, and
 * nothing is stored for one: a passkey answers each challenge once, because it answers newer ones only.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as z from 'zod'
import { TOKEN_LIMITS } from '../../../contract/limits/tokens.ts'
import type { StoredPasskey } from '../../metadata/access/users.ts'
import type { LinkKeys } from '../../pictures/links.ts'

/** Loaded on use: it has a quarter of the modules of core. */
const library = () => import('@simplewebauthn/server')

/** Name of the service in the dialogs of browsers. */
const NAME = 'Mien'

/** Where a passkey is used: the origin of the page. A passkey belongs to its host name. */
const domainOf = (origin: string) => new URL(origin).hostname

/** Purpose of a challenge: a sign-in, or the hash of an invitation. */
type Purpose = string

const SIGN_IN: Purpose = 'sign-in'

const signatureOf = (key: string, purpose: Purpose, unsigned: string) =>
  createHmac('sha256', key).update(`mien challenge ${purpose} ${unsigned}`).digest('base64url')

/** A challenge of this time, in microseconds since 1970. */
export function challengeFor([signer]: LinkKeys, purpose: Purpose, now: number): string {
  const unsigned = `${now}.${randomBytes(16).toString('base64url')}`
  return `${unsigned}.${signatureOf(signer.key, purpose, unsigned)}`
}

/** The time of a challenge; undefined unless one of these keys signed it for this purpose, at most `mostMs` ago. */
export function timeOf(
  keys: LinkKeys,
  purpose: Purpose,
  challenge: string,
  now: number,
  mostMs: number = TOKEN_LIMITS.challengeMs,
): number | undefined {
  const [, unsigned = '', time, signature = ''] =
    /^((\d{1,16})\.[\w-]{22})\.([\w-]{43})$/.exec(challenge) ?? []
  const isSigned = keys.some(({ key }) => time && isEqual(signatureOf(key, purpose, unsigned), signature))
  const age = now - Number(time)
  return isSigned && Math.abs(age) <= mostMs * 1000 ? Number(time) : undefined
}

/** For texts of one length. */
const isEqual = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Where and when a user signs in. */
export interface Place {
  keys: LinkKeys
  origin: string
  /** Microseconds since 1970. */
  now: number
}

/** Options of a sign-in. They name no user: the browser offers its passkeys for the host. */
export const signInOptions = async ({ keys, origin, now }: Place) =>
  (await library()).generateAuthenticationOptions({
    rpID: domainOf(origin),
    challenge: challengeFor(keys, SIGN_IN, now),
    userVerification: 'required',
    timeout: TOKEN_LIMITS.challengeMs,
  })

/** Options of a new passkey for a user. `purpose` is the hash of the invitation. */
export const registrationOptions = async (
  { keys, origin, now }: Place,
  purpose: Purpose,
  user: { id: string; name: string },
) =>
  (await library()).generateRegistrationOptions({
    rpName: NAME,
    rpID: domainOf(origin),
    userID: new Uint8Array(Buffer.from(user.id, 'hex')),
    userName: user.name,
    challenge: challengeFor(keys, purpose, now),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: TOKEN_LIMITS.challengeMs,
  })

/** What both kinds of answers have. The library checks the rest. */
const Credential = z.looseObject({
  id: z.string().min(1).max(1_400),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string() }),
  clientExtensionResults: z.looseObject({}),
})

/** The new passkey of this answer; undefined when it is not right. */
export async function verifiedRegistration(
  { keys, origin, now }: Place,
  purpose: Purpose,
  answer: unknown,
): Promise<Omit<StoredPasskey, 'user' | 'name' | 'created'> | undefined> {
  const parsed = Credential.safeParse(answer)
  if (!parsed.success) return undefined
  let challenged: number | undefined
  const { verifyRegistrationResponse } = await library()
  const verification = await verifyRegistrationResponse({
    response: parsed.data as unknown as RegistrationResponseJSON,
    expectedChallenge(challenge) {
      challenged = timeOf(keys, purpose, textIn(challenge), now)
      return challenged !== undefined
    },
    expectedOrigin: origin,
    expectedRPID: domainOf(origin),
  }).catch(() => undefined)
  if (!verification?.verified || challenged === undefined) return undefined
  const { id, publicKey, counter } = verification.registrationInfo.credential
  const domain = domainOf(origin)
  return { id, domain, publicKey: Buffer.from(publicKey).toString('base64url'), counter, challenged }
}

/** Id of the passkey that an answer names; "" without one. */
export const passkeyIdIn = (answer: unknown): string => Credential.safeParse(answer).data?.id ?? ''

/** Replaces an unknown passkey: its answer is then verified like the answer of a known one. The private key is not kept. */
export const NO_PASSKEY = {
  domain: '',
  publicKey:
    'pQECAyYgASFYIIwOinrp8M7Gv5CtsGVkMzwr_aNwcEIncNl-DliObd5zIlggrcGa2w1ihmEGmUIQ9Pf5nEncZXsSCokhUw75UYoAeXA',
  counter: 0,
}

/** Time of the challenge and counter of a right answer; undefined when it is not right. */
export async function verifiedSignIn(
  { keys, origin, now }: Place,
  { domain, publicKey, counter }: Pick<StoredPasskey, 'domain' | 'publicKey' | 'counter'>,
  answer: unknown,
): Promise<{ challenged: number; counter: number } | undefined> {
  const parsed = Credential.safeParse(answer)
  if (!parsed.success) return undefined
  let challenged: number | undefined
  const { verifyAuthenticationResponse } = await library()
  const verification = await verifyAuthenticationResponse({
    response: parsed.data as unknown as AuthenticationResponseJSON,
    expectedChallenge(challenge) {
      challenged = timeOf(keys, SIGN_IN, textIn(challenge), now)
      return challenged !== undefined
    },
    expectedOrigin: origin,
    expectedRPID: domainOf(origin),
    credential: {
      id: parsed.data.id,
      publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
      counter,
    },
  }).catch(() => undefined)
  if (!verification?.verified || challenged === undefined || domain !== domainOf(origin)) return undefined
  return { challenged, counter: verification.authenticationInfo.newCounter }
}

const textIn = (base64url: string) => Buffer.from(base64url, 'base64url').toString()
