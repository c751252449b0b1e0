import { type Field, form, sample } from '#test/support/client.ts'
import { api, freshApi } from '../shared.ts'

describe('POST /verify', () => {
  let one: Uint8Array<ArrayBuffer>
  let other: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    one = await sample(3)
    other = await sample(4)
  })

  const verify = (fields: Record<string, Field> = {}) =>
    api('POST', '/v0/verify', form({ photo1: one, photo2: one, ...fields }))

  it('compares all faces with all faces in reading order, and verifies when each face of photo1 has a match', {
    tags: 'long',
  }, async () => {
    const { body } = await verify({ mf_selector: 'all', threshold: 'strict' })
    expect(body.results).toHaveLength(9)
    expect(body.results[0].confidence, 'the same face').toBe(1)
    const { faces } = (await api('POST', '/v0/detect', form({ photo: one }))).body
    expect(body.results.map((pair: { bbox1: unknown }) => pair.bbox1)).toEqual(
      [0, 0, 0, 1, 1, 1, 2, 2, 2].map(i => faces[i]),
    )
    expect(body.results.map((pair: { bbox2: unknown }) => pair.bbox2)).toEqual(
      [0, 1, 2, 0, 1, 2, 0, 1, 2].map(i => faces[i]),
    )
    const verified = body.results.map((pair: { verified: boolean }) => pair.verified)
    expect(verified).toEqual([true, false, false, false, true, false, false, false, true])
    expect(body.verified).toBe(true)
  })

  it('does not verify different people', async () => {
    const { body } = await verify({ photo2: other, threshold: 'medium' })
    expect(body.verified).toBe(false)
    const [{ confidence }] = body.results
    expect(confidence).toBeLessThan(0.6616)
    expect(confidence).toBe(Number(confidence.toFixed(4)))
  })

  it('gives no verdict at the threshold none, and one at 0', async () => {
    const none = await verify({ photo2: other, threshold: 'none' })
    expect(Object.keys(none.body)).toEqual(['results'])
    expect(Object.keys(none.body.results[0]).sort()).toEqual(['bbox1', 'bbox2', 'confidence'])
    const zero = await verify({ photo2: other, threshold: '0' })
    expect(zero.body.verified).toBe(true)
  })

  it('compares a photo with a person', async () => {
    const fresh = freshApi()
    await fresh('POST', '/v0/face', form({ photo: one, person: 'Ann' }))
    const withPerson = (fields: Record<string, Field>) =>
      fresh('POST', '/v0/verify', form({ photo1: one, ...fields }))
    const { body } = await withPerson({ person_id: '1', mf_selector: 'all', threshold: 'strict' })
    const person = { id: 1, meta: 'Ann' }
    expect(body.results[0]).toEqual({
      bbox1: expect.any(Object),
      person,
      confidence: expect.any(Number),
      verified: expect.any(Boolean),
    })
    const verified = body.results.map((result: { verified: boolean }) => result.verified)
    expect(verified.toSorted()).toEqual([false, false, true])
    const verdicts = body.results.flatMap((result: { verdict?: string }) => result.verdict ?? [])
    expect(verdicts).toEqual(['certain'])
    expect(body.verified).toBe(false)
    const untouched = form({ photo1: one, person_id: '1' })
    untouched.append('photo2', new File([], ''))
    await expect(fresh('POST', '/v0/verify', untouched)).toAnswer(200)
  })
})
