/** Measures backups to a repository: time, size, their cost beside live requests, and a restore. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { storeGallery } from '#contract/model/gallery.ts'
import { bothOf, pathOf } from '#core/pictures/pictures.ts'
import { STANDARD } from '#models/manifest.ts'
import { benchmark, progress } from '../benchmark.ts'
import { clientOf, form, type Send, sample } from '../harness/client.ts'
import { type Service, startService } from '../harness/service.ts'
import { insertEvents } from '../lib/insert-events.ts'
import { addFaces, inStore, makeIndex } from '../lib/vectors/fill.ts'
import { runMien } from '../rig.ts'
import { fixed, quantile, timed } from '../statistics.ts'

/** Faces in one of which are added before the second backup. */
const MORE_ONE_IN = 100

/** Requests alone, and those before them that are not measured. */
const REQUESTS = 300
const WARM_UP = 20

/** Bytes of the pictures of a face: a thumbnail and a normalized face as the service stores them. */
const PICTURE_BYTES = { thumbnail: 4_000, normalized: 28_000 }

export default benchmark({
  description: 'backups to a repository: time, size, their cost beside identify requests, and a restore',
  options: { faces: 100_000, requests: REQUESTS },
  async run({ faces, requests: count }, rig) {
    const [repository, restored] = [join(await rig.folder(), 'repository'), join(await rig.folder(), 'data')]
    const empty = await startService()
    rig.defer(empty.remove)
    await empty.stop()
    const { data } = empty
    /** Faces are added while the service does not run: a store belongs to one process. */
    const filled = async (first: number, added: number) => {
      await fill(empty, first, added)
      const service = await startService({ data })
      const send = clientOf(service.edge, empty.token)
      await requests(send, done => done === WARM_UP)
      return { send, stop: () => service.stop() }
    }
    const before = await filled(1, faces)
    progress('requests alone')
    const alone = await requests(before.send, done => done === count)
    const first = await besideBackup(data, before.send, repository)
    await before.stop()
    const more = Math.ceil(faces / MORE_ONE_IN)
    const after = await filled(faces + 1, more)
    const second = await besideBackup(data, after.send, repository)
    await after.stop()
    progress('restore')
    const restoreMs = await timed(() => runMien('restore', repository, '--data', restored))
    const row = (times: readonly number[]) => {
      const p99 = quantile(times, 0.99)
      return {
        requests: times.length,
        p50Ms: fixed(quantile(times, 0.5)),
        p99Ms: fixed(p99),
        p99Ratio: fixed(p99 / quantile(alone, 0.99), 2),
      }
    }
    const backup = ({ ms, bytes, times }: Beside, earlier = 0) => ({
      ...{ seconds: fixed(ms / 1000), addedMb: megabytes(bytes - earlier) },
      ...row(times),
    })
    return {
      ...{ faces, pictured: Math.ceil(faces / 10), more },
      beside: {
        alone: row(alone),
        first: backup(first),
        second: backup(second, first.bytes),
        restore: { seconds: fixed(restoreMs / 1000), addedMb: megabytes(await bytesIn(restored)) },
      },
    }
  },
})

const megabytes = (bytes: number): number => fixed(bytes / 2 ** 20)

/** Adds faces with vectors to the gallery of the token's owner; the first tenth has pictures of random bytes. */
async function fill(service: Service, first: number, faces: number): Promise<void> {
  progress(`${faces} faces are added`)
  const end = first + Math.ceil(faces / 10)
  const owner = await insertEvents(service, faces, { first, pictured: id => id < end })
  for (let id = first; id < end; id++) {
    for (const picture of bothOf({ owner, id })) {
      const path = join(service.data, 'pictures', pathOf(picture))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, randomBytes(PICTURE_BYTES[picture.kind]))
    }
  }
  const gallery = storeGallery(owner, 'default')
  await inStore(service.data, async store => {
    await addFaces(store, gallery, { first, faces, dimension: STANDARD.embedder.dimension })
    await makeIndex(store, gallery)
  })
}

/** Milliseconds of identify requests, one after the other, until `isOver`. `done`: the number so far. */
async function requests(send: Send, isOver: (done: number) => boolean): Promise<number[]> {
  const photo = await sample(1)
  const times: number[] = []
  const identify = async () => {
    const { status } = await send('POST', '/v0/identify', form({ photo }))
    if (status !== 200) throw new Error(`identify answered ${status}.`)
  }
  while (!isOver(times.length)) times.push(await timed(identify))
  return times
}

interface Beside {
  ms: number
  /** Stored bytes of the repository after the backup. */
  bytes: number
  times: number[]
}

async function besideBackup(data: string, send: Send, repository: string): Promise<Beside> {
  progress('backup beside requests')
  let isOver = false
  const backup = timed(() => runMien('backup', '--to', repository, '--data', data)).finally(() => {
    isOver = true
  })
  const times = await requests(send, () => isOver)
  return { ms: await backup, bytes: await bytesIn(repository), times }
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}
