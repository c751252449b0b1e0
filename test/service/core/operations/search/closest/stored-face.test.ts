/** The person of a stored face, and how sure it is. */
import { BLUE, faceOf, RED } from '#test/support/sample-faces.ts'
import { enrolOne, getFace, it, updateFace } from '../../world.ts'

const PALE = faceOf(200, 190, 180)

it('getFace says on request who it is, by the other faces of the person', async ({ world }) => {
  const ann = { personName: 'Ann' }
  const only = await enrolOne(world, RED, ann)
  const who = async (id: number) => (await getFace(world, id, { who: true })).face.who
  const person = { id: 1, meta: 'Ann' }
  expect(await who(only), 'the only face').toEqual({ person, verdict: 'certain' })
  const same = await enrolOne(world, RED, ann)
  expect(await who(same)).toEqual({ person, confidence: 1, verdict: 'certain' })
  const wrong = await enrolOne(world, BLUE, ann)
  const weak = await who(wrong)
  expect(weak).toMatchObject({ person, confidence: expect.any(Number) })
  expect(weak).not.toHaveProperty('verdict')
  await updateFace(world, wrong, { review: 'set_aside' })
  expect(await who(same), 'without faces that are set aside').toMatchObject({ confidence: 1 })
  for (const other of [await enrolOne(world, PALE), await enrolOne(world, PALE, { personId: 'row 5' })])
    expect(await who(other), 'no person').toBeUndefined()
  expect((await getFace(world, same)).face.who).toBeUndefined()
})
