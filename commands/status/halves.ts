/** Asks core and edge for their state and statistics. */
import * as z from 'zod'
import type { GalleryStatistics } from '../../core/vector-store/vector-store.ts'
import { CoreRefused, type InspectedStore, runningStore } from '../store/running-store.ts'
import type { GalleryStatus, HalfStatus, Status } from './status.ts'

/** Time for one answer, in milliseconds. */
const PATIENCE_MS = 5_000

/** Galleries that are listed; the others are counted. */
const MAX_LISTED = 20

const ReadinessSchema = z.object({ status: z.string(), reason: z.string().optional() })

const GET = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) })

/** State of core by `/readyz`. */
export async function coreStatus(url: string | undefined): Promise<HalfStatus> {
  if (url === undefined) return { url, up: false, state: 'stopped' }
  const answer = await GET(`${url}/readyz`)
    .then(response => response.json())
    .catch(() => undefined)
  const parsed = ReadinessSchema.safeParse(answer)
  if (!parsed.success) return { url, up: false, state: 'no answer' }
  const { status, reason } = parsed.data
  return { url, up: true, state: reason === undefined ? status : `${status}: ${reason}` }
}

/** State of the edge by `/healthz`. */
export async function edgeStatus(url: string | undefined): Promise<HalfStatus> {
  if (url === undefined) return { url, up: false, state: 'stopped' }
  const up = await isUp(`${url}/healthz`)
  return { url, up, state: up ? 'ready' : 'no answer' }
}

/** Whether a GET is answered with 2xx. */
export const isUp = (url: string): Promise<boolean> =>
  GET(url).then(
    ({ ok }) => ok,
    () => false,
  )

const VersionSchema = z.object({ later_version: z.string().optional() })

/** The later version that core knows; undefined without one, and when core does not say. */
export const laterVersionOf = (core: string, token: string | undefined): Promise<string | undefined> =>
  GET(`${core}/stat/version`, token ? { authorization: `Bearer ${token}` } : {})
    .then(async response => VersionSchema.parse(await response.json()).later_version)
    .catch(() => undefined)

/** Statuses of core for a missing or wrong operator token, and for a caller on another machine without one. */
const UNAUTHORIZED = [401, 403]

/**
 * Galleries of the store, largest first; undefined when core wants another operator token. Throws an Error when a shard
 * is away.
 */
export async function galleriesOf(core: string, token: string | undefined): Promise<Status['galleries']> {
  const store = runningStore(core, token)
  const galleries = await store.galleries().catch(error => {
    if (!(error instanceof CoreRefused)) throw error
    if (UNAUTHORIZED.includes(error.status)) return undefined
    throw new Error(`core answers ${error.status} when asked for its galleries: a shard may be away.`)
  })
  if (!galleries) return undefined
  const sorted = galleries.toSorted((a, b) => vectorsOf(b) - vectorsOf(a))
  return {
    total: galleries.length,
    vectors: galleries.reduce((sum, gallery) => sum + vectorsOf(gallery), 0),
    largest: await Promise.all(sorted.slice(0, MAX_LISTED).map(gallery => galleryStatus(store, gallery))),
  }
}

const vectorsOf = ({ linear, preindex, indexed }: GalleryStatistics): number => linear + preindex + indexed

async function galleryStatus(
  store: InspectedStore,
  { gallery, linear, preindex, indexed, indexFile }: GalleryStatistics,
): Promise<GalleryStatus> {
  const known = await store.indexState(gallery).catch(() => undefined)
  const index = known?.state ?? (indexFile === undefined ? 'none' : 'ready')
  const progress = known?.state === 'building' ? ` ${Math.round(known.progress * 100)} %` : ''
  return { gallery, linear, preindex, indexed, index: index + progress }
}
