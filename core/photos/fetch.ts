/** Fetches a photo from a public URL, and from nowhere else. */
import type { LookupAddress } from 'node:dns'
import { ServiceError } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'
import { download } from './download.ts'
import { isOurFault } from './faults.ts'
import { type NameServers, nameServers } from './name-servers.ts'
import { shares } from './shares.ts'
import { systemNames } from './system-names.ts'
import { type Guard, reachableAddresses, webUrl } from './target.ts'

export interface FetchOptions extends Guard {
  /** A name's addresses, also of a trusted host. The name servers, and the system's resolver for trusted hosts, unless given. */
  resolve?: (host: string, signal: AbortSignal) => Promise<LookupAddress[]>
  /** Those of the machine unless given. */
  names?: NameServers
  /** Milliseconds to connect, and from the first step to the last byte. */
  connectMs?: number
  totalMs?: number
  /** Called with the cause when a photo could not be fetched and this machine is at fault. */
  onFault?: (error: unknown) => void
}

/** The photo at a URL, for this owner. */
export type FetchPhoto = (url: string, owner: string) => Promise<Uint8Array>

const CROWDED = 'Too many photos are being fetched from URLs. Try again.'
const OUR_FAULT = 'Photo URLs cannot be fetched at the moment. Try again later.'

/** Seconds after which a fetch may be tried again that failed by our fault. */
const AGAIN_AFTER = 5

/**
 * A function that fetches the photo at a URL. Throws PHOTO_TOO_LARGE when it has more than LIMITS.photoBytes, and
 * SERVICE_UNAVAILABLE when this machine is at fault, or when the owner has their share of LIMITS.photoFetches under way:
 * each may hold a whole photo. Every other failure is PHOTO_UNREACHABLE, which does not tell one reason from another.
 */
export function photoFetcher(options: FetchOptions = {}): FetchPhoto {
  const names = options.names ?? nameServers()
  const resolve = options.resolve ?? names.resolve
  const resolving = { resolve, resolveTrusted: options.resolve ?? systemNames() }
  const places = shares(LIMITS.photoFetches)

  async function fetched(text: string): Promise<Uint8Array> {
    // One deadline for all steps: a server that sends a byte a second gets no more time than one that is silent.
    const signal = AbortSignal.timeout(options.totalMs ?? LIMITS.photoFetchMs)
    const url = webUrl(text)
    const addresses = await withDeadline(reachableAddresses(url, resolving, options, signal), signal)
    return download(url, addresses, options.connectMs ?? LIMITS.photoConnectMs, signal)
  }

  return async (url, owner) => {
    const giveBack = places.take(owner)
    if (!giveBack) throw new ServiceError('SERVICE_UNAVAILABLE', { reason: CROWDED })
    try {
      return await fetched(url)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      if (!(await isOurFault(error, names.areAnswering)))
        throw new ServiceError('PHOTO_UNREACHABLE', {}, { cause: error })
      options.onFault?.(error)
      const detail = { reason: OUR_FAULT, retryAfter: AGAIN_AFTER }
      throw new ServiceError('SERVICE_UNAVAILABLE', detail, { cause: error })
    } finally {
      giveBack()
    }
  }
}

/** The promise, unless the signal comes first: the system's resolver keeps its own, longer time. */
function withDeadline<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}
