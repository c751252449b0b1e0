/** `mien status`: collects the state of a data folder and its service, without creating anything, and prints it. */

import { join } from 'node:path'
import * as z from 'zod'
import { countText } from '../../contract/counted.ts'
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
import { colourText, type Grade, printTable } from '../terminal/table.ts'
import { isoTime, minuteText } from '../terminal/times.ts'

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
    galleries: galleries && { ...galleries, largest: galleries.largest.map(addOwnerName(owners)) },
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
  const secrets = await secretsInFiles(process.env, pathOf)
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

const problemOfShard = ({ address, cells, state }: ShardStatus) =>
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
const addOwnerName =
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

const GET = (url: string, headers: Record<string, string> = {}) =>
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

/** State of the edge by `/healthz`, and by a request for options of a passkey: the edge asks core for them. */
async function edgeStatus(url: string | undefined): Promise<HalfStatus> {
  if (url === undefined) return { url, up: false, state: 'stopped' }
  if (!(await isUp(`${url}/healthz`))) return { url, up: false, state: 'no answer' }
  const answer = await fetch(`${url}/session`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined)
  const isServed = answer !== undefined && answer.status < 500
  const refused = 'core does not serve it: compare the keys (mien secrets list) and the address of core'
  return { url, up: true, state: isServed ? 'ready' : refused }
}

/** Whether a GET is answered with 2xx. */
const isUp = (url: string) =>
  GET(url).then(
    ({ ok }) => ok,
    () => false,
  )

const VersionSchema = z.object({ later_version: z.string().optional() })

/** The later version that core knows; undefined without one, and when core does not say. */
const laterVersionOf = (core: string, token: string | undefined) =>
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

const vectorsOf = ({ linear, preindex, indexed }: GalleryStatistics) => linear + preindex + indexed

async function galleryStatus(
  store: InspectedStore,
  { gallery, linear, preindex, indexed, indexFile }: GalleryStatistics,
): Promise<GalleryStatus> {
  const known = await store.indexState(gallery).catch(() => undefined)
  const index = known?.state ?? (indexFile === undefined ? 'none' : 'ready')
  const progress = known?.state === 'building' ? ` ${Math.round(known.progress * 100)} %` : ''
  return { gallery, linear, preindex, indexed, index: index + progress }
}

/** One half of the service. */
export interface HalfStatus {
  /** Undefined when no address is known: the half is not checked. */
  url: string | undefined
  /** Whether the process answers. */
  up: boolean
  /** Core: `ready`, `degraded` or `not ready`, with the reason of core. */
  state: string
}

export interface GalleryStatus {
  gallery: string
  /** Names of owner and gallery. Absent for a gallery of store operators, and while the owners are not known. */
  owner?: string
  name?: string
  /** Numbers of vectors by space. */
  linear: number
  preindex: number
  indexed: number
  index: string
}

export interface ShardStatus {
  /** `local`, the origin of another core, or the address of a database without its password. */
  address: string
  /** Ranges of cells, like `0-511`. */
  cells: string
  /** `up`, `away`, or `not checked` for a database. */
  state: string
}

export interface Status {
  /** `ready`: everything answers. `degraded`: a part does not. `stopped`: nothing answers. */
  state: 'ready' | 'degraded' | 'stopped'
  /** Version of this installation. */
  version: string
  /** A later release that core knows. */
  later_version: string | undefined
  data: string
  core: HalfStatus
  edge: HalfStatus
  /** Name of the pack: in use, or of the next start. */
  pack: string
  /** Bytes on the disk of the data folder. */
  disk: { free: number; needed: number }
  /** Undefined while core does not answer, or wants another operator token. */
  galleries: { total: number; vectors: number; largest: GalleryStatus[] } | undefined
  shards: ShardStatus[]
  /**
   * End of the last complete backup, of the last failed one, and of the last drill without a fault: ISO 8601 in UTC; null for
   * never. Undefined: unknown.
   */
  last_backup: string | null | undefined
  last_backup_failure: string | null | undefined
  last_drill: string | null | undefined
  /** Problems, for the operator. */
  problems: string[]
}

const GRADES: Record<Status['state'], Grade> = { ready: 'ok', degraded: 'warning', stopped: 'problem' }

export function printStatus(status: Status): void {
  const { state, version, data, core, edge, pack, disk, galleries, shards, problems } = status
  console.log(`Mien ${version} is ${colourText(GRADES[state], state)}.\n`)
  if (status.later_version) printRow('update', `${status.later_version} is out: see docs/upgrade.md`)
  printRow('core', halfText(core))
  printRow('edge', halfText(edge))
  printRow('data', data)
  printRow('pack', pack)
  printRow('disk', `${megabytes(disk.free)} MB free, ${megabytes(disk.needed)} MB needed`)
  printRow('backup', ageText(status.last_backup) + failureText(status))
  printRow('drill', ageText(status.last_drill))
  if (galleries)
    printRow(
      'store',
      `${countText(galleries.vectors, 'vector')} in ${countText(galleries.total, 'gallery', 'galleries')}`,
    )
  else if (core.up) printRow('store', 'not known: core needs MIEN_OPERATOR_TOKEN')
  if (galleries && galleries.total > 0) printSection(galleries.largest.map(galleryRow))
  if (shards.length > 0)
    printSection(shards.map(({ address, cells, state }) => ({ shard: address, cells, state })))
  for (const problem of problems) console.error(problem)
}

/** Every face is in the gallery `default` of its owner, and counts once for each gallery. */
function galleryRow({
  gallery,
  owner = '',
  name = gallery,
  linear,
  preindex,
  indexed,
  index,
}: GalleryStatus) {
  const faces = linear + preindex + indexed
  return { owner, gallery: name, faces, indexed, index: INDEX_TEXTS[index] ?? index }
}

/** Words for the state of an index. A small gallery is searched face by face. */
const INDEX_TEXTS: Record<string, string> = { none: 'not needed yet', failed: 'failed, see the log of core' }

const printRow = (name: string, text: string) => console.log(`  ${name.padEnd(6)}  ${text}`)

function printSection(rows: Parameters<typeof printTable>[0]) {
  console.log()
  printTable(rows, '')
}

function halfText({ url, state }: HalfStatus) {
  const grade = state === 'ready' ? 'ok' : 'problem'
  return `${colourText(grade, state)}${url === undefined ? '' : `  ${url}`}`
}

/** Milliseconds of a day. */
const DAY_MS = 86_400_000

function ageText(made: Status['last_backup']) {
  if (made === undefined) return 'not known'
  if (made === null) return 'none'
  const days = Math.floor((Date.now() - Date.parse(made)) / DAY_MS)
  const age = new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-days, 'day')
  return `${minuteText(Date.parse(made) * 1000)} UTC, ${age}`
}

/** A failure after the last complete backup. */
function failureText({ last_backup: made, last_backup_failure: failed }: Status) {
  if (!failed || (made && Date.parse(made) > Date.parse(failed))) return ''
  return `; ${colourText('problem', 'failed')} ${ageText(failed)}`
}

const megabytes = (bytes: number) => Math.floor(bytes / 2 ** 20)
