import { expect, it } from 'vitest'
import { enrolment, faceOf, OWNER } from '#bench/harness/sample-faces.ts'
import { enrol } from '#core/operations/enrol.ts'
import { getFace } from '#core/operations/faces.ts'
import type { Services } from '#core/operations/services.ts'
import { emptyWorld, kept } from './world.ts'

const asked = { age: true, gender: false, emotions: true }
const pixels = [faceOf(200, 40, 40), faceOf(40, 200, 40)]

/** Estimates by the first bytes of chips and thumbnails, which differ per face. */
const estimate: Services['estimate'] = async faces =>
  faces.map(({ chip, thumbnail }) => ({
    age: chip[0]! / 4,
    emotions: thumbnail!.data[0]! > 100 ? ['happy', 'neutral'] : ['sad', 'neutral'],
  }))

it('enrol stores with each face the attributes of its own chip and thumbnail', async () => {
  const parts = { ...(await emptyWorld()), estimate }
  const { faces } = await enrol(parts, enrolment(2, { asked }), pixels)
  expect(faces).toMatchObject([
    { age: 50, emotions: ['happy', 'neutral'] },
    { age: 10, emotions: ['sad', 'neutral'] },
  ])
  for (const { id, age, emotions } of faces) {
    const { face } = await getFace(parts, { owner: OWNER, id })
    expect(face).toMatchObject({ age, emotions })
    expect(face).not.toHaveProperty('gender')
  }
})

it('enrol refuses attributes while they are off, and stores nothing', async () => {
  const parts = await emptyWorld()
  const refused = enrol(parts, enrolment(2, { asked }), pixels)
  await expect(refused).rejects.toMatchObject({ code: 'BAD_PARAM', detail: { param: 'age' } })
  expect(await kept(parts)).toEqual({ vectors: [], pictures: [] })
})
