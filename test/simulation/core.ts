/** A simulated core: the real operations, queries and stores, in a process whose writes and messages are steps of the scheduler. */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type InStatement, LibsqlError } from '@libsql/client'
import {
  isChange,
  type RpcOperation,
  type RpcRequest,
  type RpcResponse,
} from '#contract/operations/messages.ts'
import { DiskFull, type DiskSpace } from '#core/files/disk-space.ts'
import { runChange } from '#core/http/rpc/changes.ts'
import { guardHandlers, guardsOf } from '#core/http/rpc/guards.ts'
import { type Handlers, handlers } from '#core/http/rpc/handlers.ts'
import { ownerNamed } from '#core/metadata/access/owners.ts'
import { DatabaseUnavailable } from '#core/metadata/connection/availability.ts'
import { closeDatabase, type Database, openDatabase, withDatabase } from '#core/metadata/database.ts'
import { alertRepeatedly } from '#core/operations/alerts/alert-repeatedly.ts'
import type { PostMessage } from '#core/operations/alerts/deliver.ts'
import { takeLease } from '#core/operations/consistency/core-lease.ts'
import { reconcile, reconcileRepeatedly } from '#core/operations/consistency/reconcile.ts'
import { enrol } from '#core/operations/faces/enrol.ts'
import type { HandlerSources } from '#core/operations/handlers.ts'
import { groupRepeatedly } from '#core/operations/persons/group.ts'
import { identify } from '#core/operations/recognition.ts'
import { expireRepeatedly } from '#core/operations/service/retention.ts'
import { type OpenStores, type Services, servicesOf } from '#core/operations/services.ts'
import { folderObjects, prepareFolder } from '#core/pictures/folder.ts'
import { PICTURES_FOLDER } from '#core/pictures/open.ts'
import { type PictureStore, picturesIn } from '#core/pictures/pictures.ts'
import { openStores } from '#core/stores.ts'
import { openShard, type Shard } from '#core/vector-store/shard/shard.ts'
import { WatchedShard } from '#core/vector-store/sharding/health.ts'
import { localLayout } from '#core/vector-store/sharding/layout.ts'
import { shardedStore } from '#core/vector-store/sharding/sharded.ts'
import { StoreUnavailable, type VectorKey, type VectorStore } from '#core/vector-store/vector-store.ts'
import { testServices } from '#test/support/sample-faces.ts'
import type { Process, Scheduler, StepFaults } from './scheduler.ts'

/** File of the metadata that cores share. */
export const SHARED = 'shared.db'

/** Label of the embedder of the simulated data. */
export const EMBEDDER = 'simulated'

export const LAYOUT = localLayout(2)

/** The open vectors and pictures of a data folder, which cores share. */
export interface Disk {
  readonly data: string
  readonly shards: readonly Shard[]
  /** Address of the metadata, when cores share it. */
  readonly database: { url: string } | undefined
}

/** A core that serves. */
export interface Core {
  readonly process: Process
  readonly services: Services
  /** Executes a request as the service does: with its guards and its audit log. */
  request<Name extends RpcOperation>(
    name: Name,
    request: RpcRequest<Name>,
    blobs?: readonly Uint8Array[],
  ): Promise<RpcResponse<Name>>
  /** Ends the core as an operator does. */
  close(): Promise<void>
}

/** Creates a data folder with these owners by the real start of the service. `isShared`: cores share its metadata. */
export async function newDataFolder(
  data: string,
  owners: readonly string[],
  isShared: boolean,
): Promise<void> {
  const stores = await openStores(data, { shards: LAYOUT, embedder: EMBEDDER })
  await stores.close()
  const database = isShared ? sharedDatabase(data) : undefined
  await withDatabase(isShared ? join(data, 'cores', 'setup') : data, { database }, async opened => {
    for (const id of owners) await ownerNamed(opened, { id, name: id, created: 0 })
  })
  rmSync(join(data, 'reserve'), { force: true })
}

const sharedDatabase = (data: string) => ({ url: pathToFileURL(join(data, SHARED)).href })

/** Copies a data folder as a crash leaves it: SQLite reads the journals that it finds. */
export function copyDisk(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: path => !path.endsWith('-shm') && basename(path) !== 'lock.db',
  })
}

/** Opens vectors and pictures. `isShared`: several cores have the metadata, in a database beside the folder. */
export async function openDisk(data: string, isShared: boolean): Promise<Disk> {
  await prepareFolder(join(data, PICTURES_FOLDER))
  const folders = LAYOUT.map((_, number) => join(data, 'vectors', `shard-${number}`))
  const shards: Shard[] = []
  for (const folder of folders) shards.push(await openShard(folder))
  return { data, shards, database: isShared ? sharedDatabase(data) : undefined }
}

export async function closeDisk({ shards }: Disk): Promise<void> {
  for (const shard of shards) await shard.close()
}

/** Starts a core in its process: it opens the stores, reconciles, and runs its periodic tasks. */
export function startCore(
  scheduler: Scheduler,
  disk: Disk,
  { process, post, storesPictures }: { process: Process; post: PostMessage; storesPictures: boolean },
): Promise<Core> {
  return scheduler.within(process, async () => {
    const home = disk.database ? join(disk.data, 'cores', process.name) : disk.data
    mkdirSync(home, { recursive: true })
    const opened = await scheduler.step('open', async () => {
      const database = await openDatabase(home, { database: disk.database })
      process.release = () => database.$client.close()
      return database
    })
    steppedDatabase(scheduler, opened, disk.database !== undefined)
    const stores: OpenStores = {
      database: opened,
      vectors: shardedStore(
        disk.shards.map((shard, i) => new WatchedShard(steppedShard(scheduler, shard), LAYOUT[i]!, () => {})),
      ),
      pictures: steppedPictures(scheduler, disk.data),
      diskSpace: diskSpaceBy(scheduler),
      lease: disk.database && (await takeLease(opened)),
      missingVectors: { vectors: 0 },
    }
    await reconcile(stores)
    const identified = { person_identify: true, person_identify_global: true }
    const options = { ...servicesOf(stores, testServices).options, ...identified }
    const keep = { pictures: storesPictures, photoNames: true }
    const services = servicesOf(stores, { ...testServices, options, keep })
    return serving(scheduler, process, services, post)
  })
}

function serving(scheduler: Scheduler, process: Process, services: Services, post: PostMessage): Core {
  const failures = { done: () => {}, failed: rethrowUnknown }
  const tasks = [
    reconcileRepeatedly(services, failures),
    expireRepeatedly(services, failures),
    groupRepeatedly(services, rethrowUnknown),
    alertRepeatedly(services, { post, everyMs: 5_000, failed: rethrowUnknown }),
  ]
  const operations = guardHandlers(handlersOf(services), guardsOf(services))
  return {
    process,
    services,
    request: (name, request, blobs = []) =>
      scheduler.within(process, async () => {
        const answer = () => operations[name]!(request, [...blobs])
        const { response } = await (isChange(name) ? runChange(Number.POSITIVE_INFINITY, answer) : answer())
        return response as never
      }),
    close: () =>
      scheduler.within(process, async () => {
        await Promise.all(tasks.map(task => task.stop()))
        await services.events.close()
        await services.lease?.end()
        await scheduler.step('close', () => closeDatabase(services.database))
        process.isAlive = false
      }),
  }
}

/** Periodic tasks log the errors of their stores and go on. Any other error is a defect. */
function rethrowUnknown(error: unknown) {
  if (error instanceof TypeError || error instanceof ReferenceError) throw error
}

const handlersOf = (services: Services): Handlers => ({
  ...handlers(services, {} as HandlerSources),
  enrol: async (request, blobs) => ({
    response: await enrol(services, request as RpcRequest<'enrol'>, blobs.map(pixelsOf)),
  }),
  identify: async (request, blobs) => ({
    response: await identify(services, request as RpcRequest<'identify'>, blobs),
  }),
})

/** Side of a simulated chip in pixels. */
export const SIDE = 4

const pixelsOf = (data: Uint8Array) => ({
  chip: { data, width: SIDE, height: SIDE },
  thumbnail: { data, width: SIDE, height: SIDE, face: { x1: 0, y1: 0, x2: SIDE, y2: SIDE } },
})

const diskIsFull = (): Error => new LibsqlError('database or disk is full', 'SQLITE_FULL')

/** Each statement and each transaction is a step. The answer of a server can be lost; a file answers. */
function steppedDatabase(scheduler: Scheduler, { $client }: Database, isShared: boolean) {
  const { execute, batch } = $client
  const lost = () => new DatabaseUnavailable({ cause: new Error('the connection broke') })
  const faults: StepFaults = { refused: diskIsFull, ...(isShared && { lost }) }
  Object.assign($client, {
    execute: (statement: InStatement) => {
      const text = textOf(statement)
      const isRead = /^\s*(select|pragma)/i.test(text)
      return scheduler.step(
        headOf(text),
        () => execute.call($client, statement as never),
        isRead ? {} : faults,
      )
    },
    batch: (statements: InStatement[]) => {
      const heads = statements.map(one => headOf(textOf(one)))
      return scheduler.step(heads.join('; '), () => batch.call($client, statements), faults)
    },
  })
}

const textOf = (statement: InStatement) => (typeof statement === 'string' ? statement : statement.sql)

/** The first words of a statement, for the report. */
const headOf = (sql: string) =>
  (/^\s*(\w+).*?\b(from|into|update)\s+"?(\w+)/is.exec(sql) ?? [0, sql.slice(0, 20), '', ''])
    .slice(1)
    .join(' ')

/** The ids of vectors, for the report. */
const idsOf = (keys: unknown) => (keys as readonly VectorKey[]).map(({ id }) => id).join()

const steppedShard = (scheduler: Scheduler, shard: Shard): VectorStore =>
  new Proxy<VectorStore>(shard, {
    get(target, name: keyof VectorStore & string) {
      const call = Reflect.get(target, name) as (...values: unknown[]) => Promise<unknown>
      if (name === 'keys') return call.bind(target)
      const refused = () => new StoreUnavailable('full')
      const lost = () => new StoreUnavailable('away')
      const isWrite = name === 'add' || name === 'remove'
      return (...values: unknown[]) =>
        scheduler.step(
          `vectors.${name}${isWrite ? ` ${idsOf(values[0])}` : ''}`,
          () => call.apply(target, values),
          isWrite ? { refused, lost } : {},
        )
    },
  })

/** A crash in the middle of a write leaves some of its files. */
function steppedPictures(scheduler: Scheduler, data: string): PictureStore {
  const objects = folderObjects(join(data, PICTURES_FOLDER))
  let isTorn = false
  const pictures = picturesIn({
    ...objects,
    write: files => objects.write(isTorn ? files.slice(0, scheduler.chance.below(files.length)) : files),
    remove: paths => objects.remove(isTorn ? paths.slice(0, scheduler.chance.below(paths.length)) : paths),
  })
  const refused = () => new DiskFull()
  const stepped =
    <Values extends unknown[], Result>(
      what: string,
      call: (...values: Values) => Promise<Result>,
      faults = {},
    ) =>
    (...values: Values) =>
      scheduler.step(
        `pictures.${what}`,
        async torn => {
          isTorn = torn
          return call(...values).finally(() => (isTorn = false))
        },
        faults,
      )
  return {
    ...pictures,
    write: stepped('write', pictures.write, { refused }),
    remove: stepped('remove', pictures.remove),
    removeAll: stepped('removeAll', pictures.removeAll),
    missing: stepped('missing', pictures.missing),
    // There are no recordings.
    removeOtherPieces: async () => {},
  }
}

/** Refuses additions now and then, as on a full disk. */
const diskSpaceBy = (scheduler: Scheduler): DiskSpace => ({
  adding: async work => {
    if (scheduler.chance.is(scheduler.faults.failure)) throw new DiskFull()
    return work()
  },
  deleting: work => work(),
  isFull: async () => false,
  free: async () => 2 ** 40,
  close: async () => {},
})
