/** Collects the status of a data folder and its service, without creating anything. */
import { join } from 'node:path'
import { GALLERY_OF_OWNER } from '../../contract/model/gallery.ts'
import { secretsInFiles } from '../../core/configuration/credentials.ts'
import { diskSpaceOf } from '../../core/files/disk-space.ts'
import { allOwners } from '../../core/metadata/access/owners.ts'
import { backupTimes } from '../../core/metadata/audit-log/entries.ts'
import { isPostgres } from '../../core/vector-store/postgres/address.ts'
import { LOCAL, recordedLayout } from '../../core/vector-store/sharding/layout.ts'
import { chosenName } from '../../models/packs.ts'
import { type JsonOptions, printJson } from '../terminal/command-line.ts'
import { existingFolder, withMetadata } from '../terminal/data-folder.ts'
import { installedVersion, pathOf } from '../terminal/paths.ts'
import { readReady } from '../terminal/ready-file.ts'
import { isoTime } from '../terminal/times.ts'
import { coreStatus, edgeStatus, galleriesOf, isUp, laterVersionOf } from './halves.ts'
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
