/** Snapshots and clips: kept if their camera keeps them, whole or absent, and gone with the face. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RpcRequest } from '#contract/operations/messages.ts'
import { createRepository } from '#core/backup/repository/repository.ts'
import { eventsAbove } from '#core/metadata/events/events.ts'
import { friendRule } from '#core/metadata/faces/event-conditions.ts'
import { deleteFace } from '#core/operations/consistency/deletions.ts'
import { putFootage } from '#core/operations/events/snapshots-and-clips.ts'
import { WRITING_FOLDER } from '#core/pictures/folder.ts'
import { PICTURES_FOLDER } from '#core/pictures/open.ts'
import { FACE, faceOf, OWNER } from '#test/support/sample-faces.ts'
import { temporaryPath } from '#test/unit/core/folder.ts'
import { backedUp, reopen } from '../../backup/repository/backups.ts'
import { cameraOf, enrolFace, enrolOne, expectKept, getFace, keyOf, openWorld, type World } from '../world.ts'

const CHILD = fileURLToPath(new URL('snapshots-and-clips.child.ts', import.meta.url))

const PHOTO = Buffer.from('\xff\xd8\xff\xe0 the whole photo', 'latin1')
const CLIP = Buffer.from('\0\0\0\x18ftypisom and a video', 'latin1')

/** A face of a camera that keeps snapshots and clips, and a function that puts a file of its event. */
async function posted(world: World) {
  const camera = await cameraOf(world, OWNER, { options: { snapshot: true, clip: true } })
  const face = await enrolOne(world, FACE, { camera, ...(await keyOf('track', 'a')) })
  const put = (changed: Partial<RpcRequest<'face.footage'>> = {}, bytes = CLIP) =>
    putFootage(world, { owner: OWNER, id: face, kind: 'clip', ...changed }, bytes)
  const putPhoto = (hash = 'abcd') => put({ kind: 'snapshot', hash }, PHOTO)
  return { camera, face, put, putPhoto }
}

const shown = async (world: World, id: number) => {
  const { snapshot, clip } = (await getFace(world, id)).face
  return [snapshot && 'snapshot', clip && 'clip'].filter(Boolean)
}

describe('a snapshot and a clip', () => {
  it('have links as soon as they are stored, and are gone with the face', async () => {
    const world = await openWorld()
    const { face, put, putPhoto } = await posted(world)
    expect(await shown(world, face)).toEqual([])
    await putPhoto()
    await put()
    await put()
    expect(await shown(world, face)).toEqual(['snapshot', 'clip'])
    const page = { above: 0, limit: 9 }
    const told = await eventsAbove(world.database, friendRule(world), OWNER, { cameras: [] }, page)
    expect(told.map(event => [event.face.id, event.updated, event.added])).toEqual([
      [face, false, null],
      [face, true, 'snapshot'],
      [face, true, 'clip'],
      [face, true, 'clip'],
    ])
    const key = { owner: OWNER, id: face }
    expect(CLIP.equals((await world.pictures.read(key, 'clip'))!)).toBe(true)
    expect(PHOTO.equals((await world.pictures.read(key, 'snapshot'))!)).toBe(true)
    await deleteFace(world, key)
    await expectKept(world)
  })

  it('leave nothing when the face is deleted during the upload', async () => {
    const world = await openWorld()
    const { face } = await posted(world)
    const racing = { ...world, pictures: { ...world.pictures } }
    racing.pictures.put = async (...file) => {
      await deleteFace(world, { owner: OWNER, id: face })
      await world.pictures.put(...file)
    }
    const late = putFootage(racing, { owner: OWNER, id: face, kind: 'clip' }, CLIP)
    await expect(late).toBeRefused('NOT_FOUND')
    await expectKept(world)
  })

  it('of an earlier picture: the clip stays with an update, and the snapshot is hidden until the next snapshot', async () => {
    const world = await openWorld()
    const { camera, face, put, putPhoto } = await posted(world)
    await putPhoto()
    await put()
    const better = { camera, photoHash: 'better', update: true, ...(await keyOf('track', 'b')) }
    expect((await enrolFace(world, faceOf(9, 9, 9), better)).id).toBe(face)
    expect(await shown(world, face)).toEqual(['clip'])
    await expect(putPhoto()).toBeRefused('BAD_PARAM')
    await putPhoto('better')
    expect(await shown(world, face)).toEqual(['snapshot', 'clip'])
  })

  it('of an earlier picture that arrive during an update leave no file', async () => {
    const world = await openWorld()
    const { camera, face, putPhoto } = await posted(world)
    const update = async (services: World, photoHash: string) =>
      void (await enrolFace(services, faceOf(9, 9, 9), {
        camera,
        photoHash,
        update: true,
        ...(await keyOf('track', photoHash)),
      }))
    const racing = { ...world, pictures: { ...world.pictures } }
    racing.pictures.write = async pictures => {
      await putPhoto()
      await world.pictures.write(pictures)
    }
    racing.pictures.put = async (...file) => {
      await update(world, 'best')
      await world.pictures.put(...file)
    }
    const key = { owner: OWNER, id: face }
    const photo = () => world.pictures.read(key, 'snapshot')
    await update(racing, 'better')
    expect(await photo()).toBeUndefined()
    const late = putFootage(racing, { ...key, kind: 'snapshot', hash: 'better' }, PHOTO)
    await expect(late).toBeRefused('NOT_FOUND')
    expect(await photo()).toBeUndefined()
  })

  it('stay when they arrive during an update of the face', async () => {
    const world = await openWorld()
    const { camera, face, put } = await posted(world)
    const racing = { ...world, pictures: { ...world.pictures } }
    racing.pictures.write = async pictures => {
      await put()
      await world.pictures.write(pictures)
    }
    const better = { camera, update: true, ...(await keyOf('track', 'b')) }
    await enrolFace(racing, faceOf(9, 9, 9), better)
    expect(await shown(world, face)).toEqual(['clip'])
  })

  it('are in a backup only on request', async () => {
    const world = await openWorld()
    const { face, put } = await posted(world)
    await put()
    const key = { owner: OWNER, id: face }
    for (const footage of [false, true]) {
      const repository = await createRepository(await temporaryPath('backups'), undefined)
      await backedUp(world, repository, { footage })
      const again = await reopen(repository)
      const clip = await again.pictures.read(key, 'clip')
      expect(clip && Buffer.from(clip), String(footage)).toEqual(footage ? CLIP : undefined)
      const { record } = await backedUp(world, repository, { footage })
      expect(record.added, 'only the list').toBeLessThan(CLIP.length + 1_000)
      await again.close()
    }
  })

  it('are whole after the process was killed at any moment, and no other file stays', {
    tags: 'kills',
  }, async () => {
    const world = await openWorld()
    const { face } = await posted(world)
    await world.close()
    const child = spawn(process.execPath, [CHILD, world.data, String(face)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let answered = 0
    child.stdout.on('data', () => {
      if (++answered === 5) setTimeout(() => child.kill('SIGKILL'), 20)
    })
    await once(child, 'close')
    expect(answered).toBeGreaterThanOrEqual(5)
    const after = await openWorld(world.data)
    const clip = await after.pictures.read({ owner: OWNER, id: face }, 'clip')
    expect(Buffer.alloc(8 * 2 ** 20, clip![0]!).equals(clip!)).toBe(true)
    expect(readdirSync(join(world.data, PICTURES_FOLDER, WRITING_FOLDER))).toEqual([])
  })
})
