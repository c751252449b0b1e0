/** Who is calling: the `Authorization: Token <key>` header -> caller, cached for seconds. */
import { ServiceError } from '../core/contract/errors.ts'
import { tokenHash } from '../core/contract/token.ts'
import type { Core } from './core-client.ts'

export interface Caller {
  owner: string
  /** Id of the token. */
  token: string
  /** Gender, age and emotions may be asked for. */
  gae: boolean
}

/** What a question that changes something says of who asks. */
export const changedBy = ({ owner, token }: Caller) => ({ owner, by: token })

/** A verdict is trusted this long: a revoked token dies within it. */
const TRUSTED_MS = 20_000
const REMEMBERED = 10_000

export type Authenticate = (authorization: string | null) => Promise<Caller>

/** Only settled verdicts are kept: no request ever waits for another's look-up. */
export function authenticator(core: Core, now: () => number = Date.now): Authenticate {
  const verdicts = new Map<string, { caller: Caller; until: number }>()

  return async authorization => {
    const hash = await presentedHash(authorization)
    const known = verdicts.get(hash)
    if (known && known.until > now()) return known.caller
    verdicts.delete(hash)
    const { answer } = await core.ask('caller', { tokenHash: hash })
    if (verdicts.size >= REMEMBERED) verdicts.clear()
    verdicts.set(hash, { caller: answer, until: now() + TRUSTED_MS })
    return answer
  }
}

/** The hash of the token in the header. The scheme's case does not matter; garbage is refused without a look-up. */
async function presentedHash(authorization: string | null): Promise<string> {
  const token = /^\s*token\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1]
  const hash = token === undefined ? undefined : await tokenHash(token)
  if (hash === undefined) throw new ServiceError('AUTH_FAILED')
  return hash
}
