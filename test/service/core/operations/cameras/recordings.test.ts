/** Uploaded recordings: their pieces, their limits, their watchers, and when they are deleted. */

import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CAMERA_LIMITS } from '#contract/limits/cameras.ts'
import type { RecordingReport } from '#contract/model/camera.ts'
import { recordings } from '#core/metadata/cameras/schema.ts'
import { owners } from '#core/metadata/schema.ts'
import { leaseCamera } from '#core/operations/cameras/camera-leases.ts'
import { deleteCamera } from '#core/operations/cameras/cameras.ts'
import { liveView } from '#core/operations/cameras/live-view.ts'
import {
  deleteSpentRecordings,
  putRecording,
  readRecording,
  recordingHandlers,
} from '#core/operations/cameras/recordings.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { PicturesUnavailable } from '#core/pictures/objects.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { times } from '#test/support/times.ts'
import { openCores } from '../neighbours.ts'
import { cameraOf, openWorld, type World } from '../world.ts'

const PIECE = CAMERA_LIMITS.recordingPieceBytes
const FILE = randomBytes(PIECE + 1_000)
const REPORT = {
  fps: null,
  dropped: null,
  frame_age: null,
  last_error: null,
  width: null,
  height: null,
  losses: null,
}
const START = '1970-01-01T00:00:01.000000'
const PROGRESS: RecordingReport = {
  start: START,
  size: FILE.length,
  read: 80,
  visits: 3,
  from: 60_000,
  before: 3,
}

/** A camera with a watcher, in an encrypted folder, and functions that upload, read and report. */
async function uploading(world?: World) {
  const opened = world ?? (await openWorld(undefined, randomBytes(32)))
  const id = await cameraOf(opened, OWNER, {})
  onTestFinished(opened.liveView.watchers.subscribe(OWNER).close)
  const put = (
    at: number,
    { start = 1_000_000, size = FILE.length, bytes = FILE.subarray(at, at + PIECE) } = {},
  ) => putRecording(opened, { owner: OWNER, id, start, size, at }, bytes)
  const folder = join(opened.data, 'pictures', OWNER, 'recordings', `${id}_1000000_${FILE.length}`)
  return {
    world: opened,
    id,
    put,
    async putAll() {
      await put(0)
      await put(PIECE)
    },
    read: (at: number, { owner = OWNER, watcher = 'one' } = {}) =>
      readRecording(opened, { owner, id, watcher, at }),
    lease: (watcher: string, recording = PROGRESS) =>
      leaseCamera(opened, { owner: OWNER, id, watcher, report: REPORT, recording }, undefined),
    recording: async () =>
      (await recordingHandlers['camera.get'](opened, { owner: OWNER, id })).camera.recording,
    remove: () => recordingHandlers['recording.delete'](opened, { owner: OWNER, id }),
    files: () => (existsSync(folder) ? readdirSync(folder) : []),
    folder,
  }
}

const setRow = ({ database }: World, row: Partial<typeof recordings.$inferInsert>) =>
  database.update(recordings).set(row)

describe('an uploaded recording', { tags: 'long' }, () => {
  it('arrives in pieces, also after an interruption, and is encrypted', async () => {
    const { put, read, lease, recording, folder } = await uploading()
    const first = await Promise.all([put(0), put(0)])
    for (const one of [...first, await put(0)])
      expect(one.recording).toMatchObject({ size: FILE.length, received: PIECE })
    await Promise.all([put(PIECE), put(PIECE)])
    await expect(read(0)).toBeRefused('NOT_FOUND')
    await lease('one')
    await expect(read(0, { watcher: 'two' })).toBeRefused('NOT_FOUND')
    expect(await recording()).toMatchObject({ received: FILE.length, start: '1970-01-01T00:00:01.000000' })
    expect(Buffer.concat([await read(0), await read(PIECE)]).equals(FILE)).toBe(true)
    expect(readFileSync(join(folder, '0')).includes(FILE.subarray(0, 64))).toBe(false)
    await expect(read(1)).toBeRefused('NOT_FOUND')
    await expect(read(2 * PIECE)).toBeRefused('NOT_FOUND')
  })

  it('is refused beyond its bounds, without a watcher, and beside another one of the camera', async () => {
    const { world, id, put } = await uploading()
    await expect(put(PIECE)).toBeRefused('NOT_FOUND')
    await expect(put(0, { bytes: FILE.subarray(1, PIECE) })).toBeRefused('BAD_PARAM', 'piece')
    for (const size of [PIECE, 2 * PIECE])
      await expect(put(2 * PIECE, { size, bytes: FILE.subarray(0, 0) })).toBeRefused('BAD_PARAM', 'piece')
    await expect(put(0, { start: 4e15 })).rejects.toMatchObject({
      detail: { param: 'start', value: '2096-10-02T07:06:40.000000' },
    })
    const full = { ...world, diskSpace: { ...world.diskSpace, free: async () => FILE.length } }
    const request = { owner: OWNER, id, start: 1_000_000, size: FILE.length, at: 0 }
    await expect(putRecording(full, request, FILE.subarray(0, PIECE))).rejects.toMatchObject({
      code: 'ENOSPC',
    })
    const inBucket = { ...full, pictures: { ...world.pictures, isLocal: false } }
    await Promise.all([
      putRecording(inBucket, request, FILE.subarray(0, PIECE)),
      expect(put(0, { start: 1 })).toBeRefused('CAMERA_TAKEN'),
    ])
    await expect(put(2 * PIECE, { size: 3 * PIECE, bytes: FILE.subarray(0, PIECE) })).toBeRefused('NOT_FOUND')
    const others = await Promise.all(times(CAMERA_LIMITS.recordings, () => uploading(world)))
    const begun = await Promise.allSettled(others.map(one => one.put(0)))
    expect(begun.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'CAMERA_TAKEN' } },
    ])
    const unwatched = { ...world, liveView: liveView() }
    const another = { ...request, id: await cameraOf(world, OWNER, {}) }
    await expect(putRecording(unwatched, another, FILE.subarray(0, PIECE))).toBeRefused('NOT_FOUND')
    // Another core may know the watcher.
    const shared = { ...unwatched, lease: (await openCores(1))[0]!.lease! }
    await expect(putRecording(shared, another, FILE.subarray(0, PIECE))).toBeRefused('CAMERA_TAKEN')
  })

  it('is read by one watcher, and by the next one when that is silent', async () => {
    const { world, put, lease, recording } = await uploading()
    await put(0)
    await expect(lease('one')).toBeRefused('CAMERA_TAKEN')
    await put(PIECE)
    await lease('one')
    await expect(lease('two')).toBeRefused('CAMERA_TAKEN')
    expect(await recording()).toMatchObject(PROGRESS)
    await setRow(world, { changed: Date.now() - CAMERA_LIMITS.leaseMs })
    await lease('two')
    await expect(lease('one')).toBeRefused('CAMERA_TAKEN')
    await expect(lease('two', { ...PROGRESS, start: '1970-01-01T00:00:02.000000' })).toBeRefused('NOT_FOUND')
  })

  it('is deleted when it is read, and its result stays until the next one', async () => {
    const { put, putAll, lease, read, recording, files } = await uploading()
    await putAll()
    await lease('one')
    await lease('one', { ...PROGRESS, end: 'read' })
    await lease('one', { ...PROGRESS, end: 'read' })
    expect(files()).toEqual([])
    await expect(read(0)).toBeRefused('NOT_FOUND')
    await expect(lease('one')).toBeRefused('NOT_FOUND')
    expect(await recording()).toMatchObject({ received: 0, end: 'read', visits: 3 })
    await put(0)
    expect((await recording())!.end).toBeUndefined()
  })

  it('is deleted when core ends between the result and the deletion', async () => {
    const { world, putAll, files, recording } = await uploading()
    await putAll()
    await setRow(world, { report: { ...PROGRESS, end: 'read' } })
    await deleteSpentRecordings(world)
    expect(files()).toEqual([])
    expect(await recording()).toMatchObject({ end: 'read' })
  })

  it('is deleted when it is cancelled, abandoned, or lacks a piece, and with its camera', async () => {
    const { world, id, put, putAll, read, remove, lease, recording, files } = await uploading()
    const isGone = async () => expect([await recording(), files()]).toEqual([undefined, []])
    const file = { owner: OWNER, camera: id, start: 1_000_000, size: FILE.length }
    await put(0)
    vi.spyOn(world.pictures, 'reach').mockRejectedValueOnce(new PicturesUnavailable())
    await expect(remove()).rejects.toBeInstanceOf(PicturesUnavailable)
    await put(PIECE)
    await remove()
    await isGone()
    await expect(remove()).toBeRefused('NOT_FOUND')
    await expect(put(PIECE)).toBeRefused('NOT_FOUND')
    // A core that has ended since stored it after the cancellation.
    await world.pictures.putPiece(file, 0, FILE)
    await reconcile(world)
    await isGone()
    await putAll()
    await setRow(world, { changed: Date.now() - CAMERA_LIMITS.recordingMs })
    await expect(lease('one')).toBeRefused('CAMERA_TAKEN')
    await deleteSpentRecordings(world)
    await isGone()
    await putAll()
    await lease('one')
    await world.pictures.removePieces(file)
    await expect(read(0)).toBeRefused('NOT_FOUND')
    expect(await recording()).toMatchObject({ ...PROGRESS, received: 0, end: 'failed' })
    await putAll()
    await deleteSpentRecordings(world)
    await reconcile(world)
    expect(files()).toHaveLength(2)
    await deleteCamera(world, { owner: OWNER, id })
    await deleteSpentRecordings(world)
    expect([files(), await world.database.select().from(recordings)]).toEqual([[], []])
  })

  it('loses a piece that arrives while it is cancelled, and another file of the camera stays', async () => {
    const { world, put, remove, files, lease, read } = await uploading()
    const another = { start: 2_000_000, size: 100, bytes: randomBytes(100) }
    await put(0)
    const putPiece = vi.spyOn(world.pictures, 'putPiece')
    putPiece.mockImplementationOnce(async (...given) => {
      await remove()
      await put(0, another)
      await world.pictures.putPiece(...given)
      throw new Error('The folder of the piece is removed.')
    })
    await expect(put(PIECE)).toBeRefused('NOT_FOUND')
    expect(files()).toEqual([])
    await lease('one', { ...PROGRESS, start: '1970-01-01T00:00:02.000000', size: 100 })
    expect(Buffer.from(await read(0)).equals(another.bytes)).toBe(true)
  })

  it('loses a piece that arrives while its owner is deleted', async () => {
    const { world, put, files } = await uploading()
    await put(0)
    vi.spyOn(world.pictures, 'putPiece').mockImplementationOnce(async () => {
      await world.database.update(owners).set({ deleting: true })
    })
    await expect(put(PIECE)).toBeRefused('NOT_FOUND')
    expect(files()).toEqual([])
  })
})
