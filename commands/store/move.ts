/** `mien store move`: moves vectors, metadata or pictures of a stopped service to another place. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readBucketKeys, readDatabase } from '../../core/configuration/credentials.ts'
import { readLayout } from '../../core/configuration/environment.ts'
import { writeOperation } from '../../core/metadata/audit-log/entries.ts'
import type { MetadataSettings } from '../../core/metadata/database.ts'
import { moveMetadata } from '../../core/metadata/move.ts'
import { movePictures } from '../../core/pictures/move.ts'
import { lockFolder, VectorFileLocked } from '../../core/vector-store/folder-lock.ts'
import { moveStore } from '../../core/vector-store/move.ts'
import { threads } from '../../core/vector-store/open.ts'
import { isPostgres } from '../../core/vector-store/postgres/address.ts'
import { type Layout, localLayout, parseLayout } from '../../core/vector-store/sharding/layout.ts'
import { UsageError } from '../terminal/command-line.ts'
import { metadataOf } from '../terminal/data-folder.ts'
import { pathOf } from '../terminal/paths.ts'
import { withProgress } from '../terminal/progress.ts'
import type { StoreCommand, StoreOptions } from './open.ts'

/** Value of --to: the data folder. */
const LOCAL = 'local'

interface Moved {
  /** Number of vectors, rows or pictures; undefined when they are at the place already. */
  count: number | undefined
  /** Next step of the operator. */
  next: string
}

type Show = (done: number, total?: number) => void

const MOVES: Record<string, (options: StoreOptions, to: string, show: Show) => Promise<Moved>> = {
  vectors: moveVectors,
  metadata: (options, to, show) => runIdle(options, () => moveRows(options, to, show)),
  pictures: (options, to, show) => runIdle(options, () => moveFiles(options, to, show)),
}

export const move: StoreCommand = async options => {
  const { subject: part, to = LOCAL, data } = options
  const { count, next } = await withProgress(part, show => MOVES[part]!(options, to, show)).catch(error => {
    if (!(error instanceof VectorFileLocked)) throw error
    throw new Error(`The service has to be stopped first: it uses ${data}.`, { cause: error })
  })
  console.log(
    count === undefined
      ? `The ${part} are there already.`
      : `${count} ${UNITS[part]} are moved and verified.`,
  )
  console.log(next)
  return 0
}

const UNITS: Record<string, string> = { vectors: 'vectors', metadata: 'rows', pictures: 'pictures' }

/** Runs `work` while no service uses the data folder. Throws VectorFileLocked. */
export async function runIdle<Result>({ data }: StoreOptions, work: () => Promise<Result>): Promise<Result> {
  const folder = join(data, 'vectors')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

const record = async (
  { data }: StoreOptions,
  part: string,
  { count }: Pick<Moved, 'count'>,
  metadata: MetadataSettings,
) => {
  if (count !== undefined)
    await writeOperation(data, { action: 'store.move', subject: { part, count } }, metadata)
}

async function moveVectors(options: StoreOptions, to: string, show: Show): Promise<Moved> {
  const target = await layoutGiven(to)
  const count = await moveStore(join(options.data, 'vectors'), target, {
    ...options,
    shards: await readLayout(options.shardsFile),
    onDamage: what => console.error(`Damaged: ${what}`),
    onProgress: (_, done, total) => show(done, total),
  })
  await record(options, 'vectors', { count }, await metadataOf(options.data))
  const next =
    to === LOCAL
      ? 'Start the service without MIEN_SHARDS.'
      : 'Start the service with MIEN_SHARDS naming the new list, or without it and with PGPASSWORD. Galleries above MIEN_INDEX_ABOVE need: mien store index.'
  return { count, next }
}

/** The shards at `--to`: threads, one database, or a list in a file. */
async function layoutGiven(to: string): Promise<Layout> {
  if (to === LOCAL) return localLayout(threads())
  if (isPostgres(to)) return parseLayout(JSON.stringify([{ address: to, cells: '0-1023' }]), '--to')
  return (await readLayout(pathOf(to)))!
}

async function moveRows(options: StoreOptions, to: string, show: Show): Promise<Moved> {
  const { data, dataKey, database: from } = options
  const target = to === LOCAL ? undefined : await databaseAt(to)
  const count = await moveMetadata(data, {
    dataKey,
    from,
    to: target,
    onProgress: (_, done) => show(done, done),
  })
  await record(options, 'metadata', { count }, { dataKey, database: target })
  const next =
    to === LOCAL
      ? 'Start the service without MIEN_DATABASE_URL.'
      : `Start the service with MIEN_DATABASE_URL=${to}`
  return { count, next }
}

const databaseAt = (url: string) => readDatabase({ ...process.env, MIEN_DATABASE_URL: url }, pathOf)

async function moveFiles(options: StoreOptions, to: string, show: Show): Promise<Moved> {
  const { data, dataKey } = options
  if (to !== LOCAL && !to.startsWith('s3:'))
    throw new UsageError(`--to takes ${LOCAL} or s3://..., not "${to}".`)
  const count = await movePictures(data, {
    to: to === LOCAL ? undefined : to,
    dataKey,
    bucketKeys: await readBucketKeys(process.env, pathOf),
    onProgress: (_, done) => show(done, done),
  })
  await record(options, 'pictures', { count }, await metadataOf(data))
  const next =
    to === LOCAL ? 'Start the service without MIEN_PICTURES.' : `Start the service with MIEN_PICTURES='${to}'`
  return { count, next }
}
