/** Photos as data: URLs. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorAnswer } from '#contract/errors.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { photoOfDataUrl } from '#edge/http/encodings/data-url.ts'

const read = (url: string) => photoOfDataUrl('photo', new TextEncoder().encode(url))

describe('photoOfDataUrl', () => {
  it('returns the encoded bytes without a name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async bytes => {
        const upload = await read(`data:image/jpeg;base64,${btoa(String.fromCharCode(...bytes))}`)
        expect([...upload.bytes]).toEqual([...bytes])
        expect(upload.name).toBe('')
      }),
    )
  })

  it.each([
    'data:image/png;base64,AAAA',
    'DATA:IMAGE/SVG+XML;charset=utf-8;BASE64,AAAA',
    'data:image/webp;a=b;c=d;base64,',
  ])('accepts %s', async url => {
    expect((await read(url)).name).toBe('')
  })

  it.each([
    'data:text/plain;base64,AAAA',
    'data:image/jpeg,AAAA',
    'data:image/jpeg;base64,AAA',
    'data:image/jpeg;base64,AA=A',
    'data:image/jpeg;base64,AAA\n',
    'data:image/jpeg;base64,AA-_',
    'data:image/jpeg;base64,AB==',
    `data:image/jpeg;${'a'.repeat(300)};base64,AAAA`,
  ])('refuses %s without repeating it', async url => {
    const error = await read(url).catch(thrown => thrown)
    const { status, body } = errorAnswer(error)
    expect({ status, code: body.code, param: body.param }).toEqual({
      status: 400,
      code: 'BAD_PARAM',
      param: 'photo',
    })
    expect(body.reason).toMatch(/^photo: expected data:image\/<type>;base64, .* got a data: URL\.$/)
    expect(body.value).toBe('(data: URL)')
  })

  it('accepts PHOTO_LIMITS.bytes, and refuses one byte more as PHOTO_TOO_LARGE', async () => {
    const url = (size: number) => `data:image/jpeg;base64,${btoa('\x07'.repeat(size))}`
    expect((await read(url(PHOTO_LIMITS.bytes))).bytes.every(byte => byte === 7)).toBe(true)
    await expect(read(url(PHOTO_LIMITS.bytes + 1))).rejects.toMatchObject({ code: 'PHOTO_TOO_LARGE' })
  })
})
