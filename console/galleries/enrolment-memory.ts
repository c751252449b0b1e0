/**
 * Which photos of an enrolment are done, in the session storage of the tab: after a reload the same choice of photos continues.
 * It holds settings, counts and short digests of paths, sizes and times. Signing out forgets it.
 */
import type { FoundFile } from '../photos/files.ts'
import type { EnrolmentMemory } from './enrolment.ts'
import type { EnrolmentSettings } from './enrolment-plan.ts'

const KEY = 'mien.enrolment'

/** Digests per entry of the storage: an added photo rewrites one entry. */
const DIGESTS_PER_CHUNK = 500

/** Remembered photos at most, about 1 MB. Photos beyond are sent again. */
const MOST_PHOTOS = 100_000

/** An enrolment that did not end. */
interface Interrupted {
  settings: EnrolmentSettings
  photos: number
  done: number
}

/** The enrolment of this tab that did not end; undefined when there is none. */
export function interruptedEnrolment(): Interrupted | undefined {
  const text = sessionStorage.getItem(KEY)
  if (text === null) return undefined
  const done = storedDigests().length
  return done === 0 ? undefined : { ...(JSON.parse(text) as Omit<Interrupted, 'done'>), done }
}

/** Begins an enrolment, or continues the interrupted one if it has the same settings. */
export function rememberEnrolment(settings: EnrolmentSettings, photos: number): EnrolmentMemory {
  const earlier = interruptedEnrolment()
  const continues = earlier && JSON.stringify(earlier.settings) === JSON.stringify(settings)
  if (!continues) forgetEnrolment()
  write(KEY, JSON.stringify({ settings, photos: Math.max(photos, continues ? earlier.photos : 0) }))
  const digests = storedDigests()
  const known = new Set(digests)
  return {
    has: photo => known.has(digestOf(photo)),
    add(photo) {
      const digest = digestOf(photo)
      if (known.has(digest) || digests.length >= MOST_PHOTOS) return
      known.add(digest)
      digests.push(digest)
      const chunk = Math.floor((digests.length - 1) / DIGESTS_PER_CHUNK)
      write(`${KEY}.${chunk}`, digests.slice(chunk * DIGESTS_PER_CHUNK).join(' '))
    },
  }
}

/** Forgets the enrolment of this tab. */
export function forgetEnrolment(): void {
  sessionStorage.removeItem(KEY)
  for (let chunk = 0; sessionStorage.getItem(`${KEY}.${chunk}`) !== null; chunk++)
    sessionStorage.removeItem(`${KEY}.${chunk}`)
}

function storedDigests(): string[] {
  const digests: string[] = []
  for (let chunk = 0; ; chunk++) {
    const text = sessionStorage.getItem(`${KEY}.${chunk}`)
    if (text === null) return digests
    digests.push(...text.split(' '))
  }
}

/** A full storage costs the memory, not the enrolment. */
function write(key: string, text: string) {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    sessionStorage.removeItem(key)
  }
}

/**
 * 53 bits of the path, the size and the time of a file. No secret: pages without a secure origin have no cryptographic hash.
 * Two of 100,000 photos are confused with a probability of 1 in a million.
 */
export function digestOf({ path, file }: FoundFile): string {
  let [low, high] = [0xdeadbeef, 0x41c6ce57]
  for (const character of new TextEncoder().encode(`${path}\n${file.size}\n${file.lastModified}`)) {
    low = Math.imul(low ^ character, 2_654_435_761)
    high = Math.imul(high ^ character, 1_597_334_677)
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  return ((high & 0x1fffff) * 2 ** 32 + (low >>> 0)).toString(36)
}
