/** Photos as data: URLs. */
import * as fc from 'fast-check'
import { errorAnswer } from '#contract/errors.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { photoOfDataUrl } from '#edge/parameters/encodings/data-url.ts'

/** Bytes, and a data: URL of them in one of the spellings of encoders. */
const SPELLED = fc
  .record({
    bytes: fc.uint8Array({ maxLength: 300 }),
    head: fc.constantFrom(
      'data:image/jpeg;base64,',
      'DATA:IMAGE/SVG+XML;charset=utf-8;BASE64,',
      'data:image/webp;a=b;c=d;base64,',
      'data:;base64,',
      'data:base64,',
      'data:application/octet-stream;base64,',
      'data:binary/octet-stream;base64,',
      ' DATA:image/*; charset=binary; base64 ,',
    ),
    before: fc.constantFrom('', ' ', '\n', '%20'),
    lineLength: fc.constantFrom(1, 60, 64, 76, 1_000),
    lineBreak: fc.constantFrom('\n', '\r\n', '%0D%0A', '\n\t'),
    isUrlSafe: fc.boolean(),
    isPadded: fc.boolean(),
    isEscaped: fc.boolean(),
    after: fc.constantFrom('', ' ', '  '),
  })
  .map(({ bytes, ...how }) => {
    const standard = btoa(String.fromCharCode(...bytes))
    const padded = how.isUrlSafe ? standard.replaceAll('+', '-').replaceAll('/', '_') : standard
    const text = how.isPadded ? padded : padded.replaceAll('=', '')
    const lines = text.match(new RegExp(`.{1,${how.lineLength}}`, 'g')) ?? []
    const written = how.isEscaped ? lines.map(encodeURIComponent) : lines
    return {
      bytes,
      url: how.head + how.before + written.map(line => line + how.lineBreak).join('') + how.after,
    }
  })

const read = (url: string) => photoOfDataUrl('photo', new TextEncoder().encode(url))

describe('photoOfDataUrl', () => {
  it('returns the bytes of any spelling without a name', async () => {
    await fc.assert(
      fc.asyncProperty(SPELLED, async ({ bytes, url }) => {
        const upload = await read(url)
        expect([...upload.bytes]).toEqual([...bytes])
        expect(upload.name).toBe('')
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    'data:text/plain;base64,AAAA',
    'data:image/jpeg,AAAA',
    'data:image/jpeg;base64,A',
    'data:image/jpeg;base64,AA=',
    'data:image/jpeg;base64,AA=A',
    'data:image/jpeg;base64,AAAA====',
    'data:image/jpeg;base64,AA AA',
    'data:image/jpeg;base64,AAA%',
    'data:image/jpeg;base64,AA%3',
    'data:image/jpeg;base64,AAé',
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
    await expect(read(url(PHOTO_LIMITS.bytes + 1))).toBeRefused('PHOTO_TOO_LARGE')
  })
})
