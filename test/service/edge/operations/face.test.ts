import sharp from 'sharp'
import { type Field, form, sample } from '#test/support/client.ts'
import { api } from '../shared.ts'

describe('POST /face', () => {
  let photo: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    photo = await sample(3)
  })
  const post = (fields: Record<string, Field> = {}) => api('POST', '/v0/face', form({ photo, ...fields }))

  it('says how many faces it saw when it takes one of several', async () => {
    const several = await sample(1)
    const seen = async (photo: Uint8Array<ArrayBuffer>, fields: Record<string, Field> = {}) =>
      (await post({ photo, ...fields })).headers.get('x-faces-seen')
    expect(await seen(several)).toBe('3')
    expect(await seen(several, { mf_selector: 'all' })).toBeNull()
    expect(await seen(several, { bbox: '[426, 372, 605, 604]' })).toBeNull()
    const portrait = sharp(several).extract({ left: 1266, top: 43, width: 600, height: 600 })
    expect(await seen(new Uint8Array(await portrait.jpeg().toBuffer()))).toBeNull()
  })

  it('answers signed picture links that load without a token', async () => {
    const { body } = await post()
    for (const [link, type] of [
      [body.results[0].thumbnail, 'image/jpeg'],
      [body.results[0].normalized, 'image/png'],
    ]) {
      const picture = await fetch(link)
      expect(picture.status).toBe(200)
      expect(picture.headers.get('content-type')).toBe(type)
      expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
      expect(picture.headers.get('cache-control')).toBe('private, no-store')
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1000)
    }
  })
})
