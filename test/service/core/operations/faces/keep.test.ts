/** Enrolment without stored pictures, or without stored photo names. */
import { verifyAll } from '#core/backup/verify.ts'
import { enrol } from '#core/operations/faces/enrol.ts'
import type { RetainedData } from '#core/operations/services.ts'
import { enrolment, faceOf } from '#test/support/sample-faces.ts'
import { deleteFace, foundFaces, getFace, updateFace } from '../own.ts'
import { emptyWorld, enrolOne, kept, type World } from '../world.ts'

const RED = faceOf(250, 10, 10)

let world: World
beforeEach(async () => {
  world = await emptyWorld()
})

const keeping = (keep: Partial<RetainedData>) => ({ ...world, keep: { ...world.keep, ...keep } })

describe('a service without stored pictures', () => {
  it('finds, changes and deletes a face, and never has its pictures', async () => {
    const id = await enrolOne(keeping({ pictures: false }), RED)
    expect((await kept(world)).pictures).toEqual([])
    expect(await verifyAll(world.data, world)).toEqual([])
    expect(await foundFaces(world, RED)).toEqual([id])
    await updateFace(world, id, { meta: 'red' })
    expect((await kept(world)).pictures).toEqual([])
    await deleteFace(world, id)
    expect(await kept(world)).toEqual({ vectors: [], pictures: [] })
  })
})

it('a service without stored photo names stores and answers the hash of the photo without its name', async () => {
  const { faces } = await enrol(keeping({ photoNames: false }), enrolment(1), [RED])
  expect(faces[0]).toMatchObject({ photo: '', photo_hash: 'abcd' })
  const { id } = faces[0]!
  expect((await getFace(world, id)).face).toMatchObject({ photo: '', photo_hash: 'abcd' })
  const stored = await world.database.run('SELECT * FROM faces')
  expect(JSON.stringify(stored.rows)).not.toContain('photo.jpg')
})
