/** Pictures and backups in a bucket: enrolment, links, moves and restores, also during an outage. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { errorAnswer } from '#contract/errors.ts'
import { createRepository } from '#core/backup/repository/repository.ts'
import { restoreFrom } from '#core/backup/repository/restore.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { pictureRoutes } from '#core/http/pictures.ts'
import { storeRefusal } from '#core/http/refusals.ts'
import { enrol } from '#core/operations/faces/enrol.ts'
import { listFaces } from '#core/operations/faces/faces.ts'
import { bucketAddress } from '#core/pictures/bucket/address.ts'
import { pictureLink } from '#core/pictures/links.ts'
import { movePictures } from '#core/pictures/move.ts'
import { PicturesUnavailable } from '#core/pictures/objects.ts'
import { PLACE_FILE, picturesOf } from '#core/pictures/open.ts'
import { enrolment, FACE, faceOf, OWNER, testServices } from '#test/support/sample-faces.ts'
import { hasSwift, KEYS, type Swift, startSwift } from '#test/support/servers/swift.ts'
import { temporaryPath } from '#test/unit/core/folder.ts'
import { backedUp, KEEP, openFilled, reopen, runDrill } from '../backup/repository/backups.ts'
import { type FaultyProxy, faultyProxy } from '../pictures/faulty-proxy.ts'
import {
  deleteFace,
  enrolOne,
  expectKept,
  keyOf,
  keysOf,
  openWorld,
  reconcileNow,
  type World,
} from './world.ts'

let swift: Swift
beforeAll(async () => {
  if (hasSwift) swift = await startSwift()
})
afterAll(() => swift?.stop())

describe.skipIf(!hasSwift)('a service with pictures in a bucket', { tags: ['long', 'swift'] }, () => {
  let proxy: FaultyProxy
  let settings = { pictures: '', bucketKeys: KEYS }
  let world: World
  beforeEach(async () => {
    proxy = await faultyProxy(swift.origin)
    const address = `s3://${await swift.makeBucket()}/site?endpoint=${proxy.origin}`
    expect(bucketAddress(address)).toBeDefined()
    settings = { pictures: address, bucketKeys: KEYS }
    world = await openWorld(undefined, undefined, settings)
  })

  /** Stops the bucket and waits until the service notices. */
  async function goAway() {
    await proxy.stop()
    await expect(world.pictures.read({ owner: OWNER, id: 1 }, 'thumbnail')).rejects.toBeInstanceOf(
      PicturesUnavailable,
    )
  }

  const untilBack = () => vi.waitFor(() => world.pictures.reach(), 60_000)

  async function comeBack() {
    await proxy.serve()
    await untilBack()
  }

  it('refuses an enrolment during an outage, leaves nothing, and accepts the repetition under its key', async () => {
    const request = enrolment(2, await keyOf('k', 'request'))
    await goAway()
    const asked = proxy.asked.length
    await expect(enrol(world, request, [FACE, FACE])).rejects.toBeInstanceOf(PicturesUnavailable)
    expect(proxy.asked).toHaveLength(asked)
    // Not even an intent was written.
    expect(await reconcileNow(world)).toMatchObject({ reconciled: 0, pending: 0 })
    expect((await listFaces(world, { owner: OWNER, limit: 1 })).faces).toEqual([])
    await comeBack()
    await expectKept(world)
    const { faces } = await enrol(world, request, [FACE, FACE])
    await expectKept(world, ...faces.map(({ id }) => ({ id })))
  })

  it('serves pictures through core, and answers 503 during an outage', async () => {
    const id = await enrolOne(world, FACE)
    const routes = pictureRoutes(world)
    routes.onError((error, context) => {
      const { status, body } = errorAnswer(storeRefusal(error))
      return context.json(body, status as ContentfulStatusCode)
    })
    const link = pictureLink(testServices.links(), { owner: OWNER, id }, 'thumbnail', Date.now())
    const shown = await routes.request(`http://core${link}`)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
    })
    expect(Buffer.from(await shown.arrayBuffer()).toString('hex', 0, 2)).toBe('ffd8')
    await goAway()
    await expect(routes.request(`http://core${link}`)).toAnswer(503)
  })

  it('backs up the pictures as files, and the restored folder does not use the bucket', async () => {
    const id = await enrolOne(world, FACE)
    const repository = await createRepository(await temporaryPath('backups'), undefined)
    await backedUp(world, repository)
    const data = await temporaryPath('data')
    await restoreFrom({ repository, data, operatorKey: undefined })
    expect(await readdir(data)).not.toContain(PLACE_FILE)
    const before = proxy.asked.length
    const again = await openWorld(data)
    expect(await verifyAll(data, again)).toEqual([])
    await deleteFace(again, id)
    expect(proxy.asked).toHaveLength(before)
    await expectKept(world, { id })
  })

  it('gets every picture of a folder by movePictures and gives them back, also when a move ends early and the service runs before the next one', async () => {
    const to = settings.pictures.replace('site', 'moved')
    const { data, close, ...before } = await openWorld()
    for (let value = 0; value < 10; value++) await enrolOne(before, faceOf(20 * value, 0, 0))
    await close()
    const picturesIn = async () => {
      const store = await picturesOf(data, { bucketKeys: KEYS })
      const found = new Map<string, string>()
      for await (const picture of store.list())
        found.set(JSON.stringify(picture), Buffer.from((await store.readStored(picture))!).toString('base64'))
      store.close()
      return found
    }
    let pictures = 0
    const onProgress = () => {
      if (++pictures === 3) throw new Error('the end')
    }
    await expect(movePictures(data, { to, bucketKeys: KEYS, onProgress })).rejects.toThrow('the end')
    const again = await openWorld(data)
    await enrolOne(again, faceOf(0, 99, 0))
    const upload = { owner: OWNER, camera: 'c', start: 0, size: 1 }
    await again.pictures.putPiece(upload, 0, Uint8Array.of(1))
    await again.close()
    const expected = await picturesIn()
    expect(expected.size).toBe(22)

    expect(await movePictures(data, { to, bucketKeys: KEYS })).toBe(23)
    expect(await picturesIn()).toEqual(expected)
    expect(existsSync(join(data, 'pictures'))).toBe(false)
    expect(await movePictures(data, { to, bucketKeys: KEYS })).toBeUndefined()

    expect(await movePictures(data, { to: undefined, bucketKeys: KEYS })).toBe(23)
    expect(await picturesIn()).toEqual(expected)
    expect(existsSync(join(data, 'pictures.json'))).toBe(false)
  })
})

it.skipIf(!hasSwift)(
  'a repository of backups in a bucket keeps, restores, drills and prunes as one in a folder',
  { tags: ['long', 'swift'] },
  async () => {
    const address = `s3://${await swift.makeBucket()}/site?endpoint=${swift.origin}`
    const repository = await createRepository(address, KEYS)
    const { world, red } = await openFilled()
    const start = Date.UTC(2027, 0, 1)
    for (const days of [0, 100, 101]) await backedUp(world, repository, { now: start + days * 86_400_000 })
    const before = (await repository.inventory()).pieces.size
    await deleteFace(world, red)
    const at = start + 102 * 86_400_000
    const { pruned } = await backedUp(world, repository, { now: at, keep: KEEP })
    expect(pruned).toMatchObject({ backups: 1, future: [] })
    expect(pruned.pieces).toBeGreaterThan(0)
    expect(before).toBeGreaterThan(0)
    expect((await repository.inventory()).backups).toHaveLength(3)
    expect(await keysOf(await reopen(repository, { at }))).toEqual(await keysOf(world))
    expect((await runDrill(world, repository, { at })).faults).toEqual([])
  },
)
