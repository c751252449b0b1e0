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
