/** Asks core and edge for their state and statistics. */
import * as z from 'zod'
import { STORE_LIMITS } from '../../contract/limits/store.ts'
import {
  type GalleryInfo,
  GalleryInfosSchema,
  galleriesPath,
  galleryPath,
  IndexStateSchema,
  NO_INDEX_FILE,
} from '../../contract/store-interface.ts'
import type { GalleryStatus, HalfStatus, Status } from './status.ts'

/** Time for one answer, in milliseconds. */
const PATIENCE_MS = 5_000

/** Galleries that are listed; the others are counted. */
const MAX_LISTED = 20

const ReadinessSchema = z.object({ status: z.string(), reason: z.string().optional() })

const GET = (url: string, token?: string): Promise<Response> =>
  fetch(url, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })

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

/** Statuses of core for a missing or wrong operator token, and for a caller on another machine without one. */
const UNAUTHORIZED = [401, 403]

/**
 * Galleries of the store, largest first; undefined when core wants another operator token. Throws an Error when a shard
 * is away.
 */
export async function galleriesOf(core: string, token: string | undefined): Promise<Status['galleries']> {
  const response = await GET(`${core}${galleriesPath(1, STORE_LIMITS.statisticsCount)}?info=1`, token)
  if (UNAUTHORIZED.includes(response.status)) return undefined
  if (!response.ok)
    throw new Error(`core answers ${response.status} when asked for its galleries: a shard may be away.`)
  const { galleries, total } = GalleryInfosSchema.parse(await response.json())
  const sorted = galleries.toSorted((a, b) => vectorsOf(b) - vectorsOf(a))
  return {
    total,
    vectors: galleries.reduce((sum, gallery) => sum + vectorsOf(gallery), 0),
    largest: await Promise.all(
      sorted.slice(0, MAX_LISTED).map(gallery => galleryStatus(core, token, gallery)),
    ),
  }
}

const vectorsOf = ({ cnt_linear, cnt_preindex, cnt_indexed }: GalleryInfo): number =>
  cnt_linear + cnt_preindex + cnt_indexed

async function galleryStatus(
  core: string,
  token: string | undefined,
  { name, cnt_linear, cnt_preindex, cnt_indexed, index_file }: GalleryInfo,
): Promise<GalleryStatus> {
  const answer = await GET(core + galleryPath(name, 'index'), token)
    .then(response => response.json())
    .catch(() => undefined)
  const known = IndexStateSchema.safeParse(answer).data
  const index = known?.state ?? (index_file === NO_INDEX_FILE ? 'none' : 'ready')
  const progress = known?.state === 'building' ? ` ${Math.round(known.progress * 100)} %` : ''
  return {
    gallery: name,
    linear: cnt_linear,
    preindex: cnt_preindex,
    indexed: cnt_indexed,
    index: index + progress,
  }
}
