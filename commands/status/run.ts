/** Collects the status of a data folder and its service, without creating anything. */
import { join } from 'node:path'
import * as z from 'zod'
import { GALLERY_OF_OWNER } from '../../contract/model/gallery.ts'
import { secretsInFiles } from '../../core/configuration/credentials.ts'
import { diskSpaceOf } from '../../core/files/disk-space.ts'
import { allOwners } from '../../core/metadata/access/owners.ts'
import { backupTimes } from '../../core/metadata/audit-log/entries.ts'
import { isPostgres } from '../../core/vector-store/postgres/address.ts'
import { LOCAL, recordedLayout } from '../../core/vector-store/sharding/layout.ts'
import type { GalleryStatistics } from '../../core/vector-store/vector-store.ts'
import { chosenName } from '../../models/packs.ts'
import { CoreRefused, type InspectedStore, runningStore } from '../store/running-store.ts'
import { type JsonOptions, printJson } from '../terminal/command-line.ts'
import { existingFolder, withMetadata } from '../terminal/data-folder.ts'
import { installedVersion, pathOf } from '../terminal/paths.ts'
import { readReady } from '../terminal/ready-file.ts'
import { isoTime } from '../terminal/times.ts'
import { type GalleryStatus, type HalfStatus, printStatus, type ShardStatus, type Status } from './status.ts'

interface StatusOptions extends JsonOptions {
  core?: string
  edge?: string
}

/** Prints the status and returns the exit code: 0 when everything answers, else 1. */
export async function runStatus(options: StatusOptions): Promise<number> {
  const status = await statusOf(options)
  if (options.json) printJson(status)
  else printStatus(status)
  return status.state === 'ready' ? 0 : 1
}

/** The status. Throws ServiceNotRunning when the data folder is missing. */
async function statusOf(options: StatusOptions): Promise<Status> {
  const data = existingFolder(options.data)
  const problems: string[] = []
  const noted = (error: unknown) => void problems.push(error instanceof Error ? error.message : String(error))
  const urls = await addresses(data, options).catch(error => {
    noted(error)
    return { core: options.core, edge: options.edge }
  })
  const [core, edge] = await Promise.all([coreStatus(urls.core), edgeStatus(urls.edge)])
  const shards = await shardsOf(data, core)
  const disk = await diskSpaceOf(data)
  const url = core.up ? urls.core : undefined
  const token = url && ((await operatorToken().catch(noted)) ?? undefined)
  const galleries = url ? ((await galleriesOf(url, token).catch(noted)) ?? undefined) : undefined
  problems.push(...problemsOf(core, edge), ...shards.flatMap(problemOfShard))
  if (disk.free < disk.needed) problems.push('The disk of the data folder is full: free some space.')
  const { owners, backups } = await recorded(data).catch(() => ({ owners: [], backups: UNKNOWN }))
  return {
    state: !core.up && !edge.up ? 'stopped' : problems.length === 0 ? 'ready' : 'degraded',
    version: installedVersion(),
    later_version: url && (await laterVersionOf(url, token)),
    data,
    core,
    edge,
    pack: await chosenName(data, process.env.MIEN_PACK),
    disk,
    galleries: galleries && { ...galleries, largest: galleries.largest.map(named(owners)) },
    shards,
    ...backups,
    problems,
  }
}

/** Addresses that were given, or of the running service of the folder. Throws an Error when the launcher has exited. */
async function addresses(
  data: string,
  { core, edge }: StatusOptions,
): Promise<Pick<StatusOptions, 'core' | 'edge'>> {
  const ready = core && edge ? undefined : await readReady(data)
  return { core: core ?? ready?.core, edge: edge ?? ready?.edge }
}

async function operatorToken(): Promise<string | undefined> {
  const secrets = await secretsInFiles(process.env, path => pathOf(path))
  return secrets.MIEN_OPERATOR_TOKEN || process.env.MIEN_OPERATOR_TOKEN || undefined
}

function problemsOf(core: HalfStatus, edge: HalfStatus): string[] {
  if (core.url === undefined && edge.url === undefined)
    return [
      'The service is not running here. Name the addresses of mien core and mien edge with --core and --edge.',
    ]
  return Object.entries({ core, edge }).flatMap(([name, { url, state }]) => {
    if (state === 'ready') return []
    return [
      url === undefined
        ? `The address of ${name} is not known: give --${name} URL.`
        : `${name} at ${url}: ${state}.`,
    ]
  })
}

/** Shards in this core are up with it; other cores are asked. Databases are not: their passwords are not recorded. */
async function shardsOf(data: string, core: HalfStatus): Promise<ShardStatus[]> {
  const layout = (await recordedLayout(join(data, 'vectors'))) ?? []
  return Promise.all(
    layout.map(async ({ address, cells }) => {
      if (isPostgres(address)) return { address, cells, state: 'not checked' }
      const answers = address === LOCAL ? core.up : await isUp(`${address}/readyz`)
      return { address, cells, state: answers ? 'up' : 'away' }
    }),
  )
}

const problemOfShard = ({ address, cells, state }: ShardStatus): string[] =>
  state === 'away' && address !== LOCAL ? [`The shard ${address} with the cells ${cells} is away.`] : []

type LastBackups = Pick<Status, 'last_backup' | 'last_backup_failure' | 'last_drill'>

const UNKNOWN: LastBackups = { last_backup: undefined, last_backup_failure: undefined, last_drill: undefined }

/** Owners, and times of backups by `mien backup` from the audit log. */
const recorded = (data: string): Promise<{ owners: Owner[]; backups: LastBackups }> =>
  withMetadata({ data }, async ({ database }) => {
    const { completed, failed, drilled } = await backupTimes(database)
    const backups = {
      last_backup: isoTime(completed ?? null),
      last_backup_failure: isoTime(failed ?? null),
      last_drill: isoTime(drilled ?? null),
    }
    return { backups, owners: await allOwners(database) }
  })

type Owner = Pick<Awaited<ReturnType<typeof allOwners>>[number], 'id' | 'name'>

/** Adds the names of owner and gallery, which the store knows as one text. */
const named =
  (owners: readonly Owner[]) =>
  (gallery: GalleryStatus): GalleryStatus => {
    const [, id, name] = GALLERY_OF_OWNER.exec(gallery.gallery) ?? []
    const owner = owners.find(known => known.id === id)
    return owner && name !== undefined ? { ...gallery, owner: owner.name, name } : gallery
  }

/** Time for one answer, in milliseconds. */
const PATIENCE_MS = 5_000

/** Galleries that are listed; the others are counted. */
const MAX_LISTED = 20

const ReadinessSchema = z.object({ status: z.string(), reason: z.string().optional() })

const GET = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) })

/** State of core by `/readyz`. */
async function coreStatus(url: string | undefined): Promise<HalfStatus> {
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
async function edgeStatus(url: string | undefined): Promise<HalfStatus> {
  if (url === undefined) return { url, up: false, state: 'stopped' }
  const up = await isUp(`${url}/healthz`)
  return { url, up, state: up ? 'ready' : 'no answer' }
}

/** Whether a GET is answered with 2xx. */
const isUp = (url: string): Promise<boolean> =>
  GET(url).then(
    ({ ok }) => ok,
    () => false,
  )

const VersionSchema = z.object({ later_version: z.string().optional() })

/** The later version that core knows; undefined without one, and when core does not say. */
const laterVersionOf = (core: string, token: string | undefined): Promise<string | undefined> =>
  GET(`${core}/stat/version`, token ? { authorization: `Bearer ${token}` } : {})
    .then(async response => VersionSchema.parse(await response.json()).later_version)
    .catch(() => undefined)

/** Statuses of core for a missing or wrong operator token, and for a caller on another machine without one. */
const UNAUTHORIZED = [401, 403]

/**
 * Galleries of the store, largest first; undefined when core wants another operator token. Throws an Error when a shard
 * is away.
 */
async function galleriesOf(core: string, token: string | undefined): Promise<Status['galleries']> {
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
