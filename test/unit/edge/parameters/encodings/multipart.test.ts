/** Multipart bodies, scanned while they arrive. */
import * as fc from 'fast-check'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { type PartHead, scanMultipart } from '#edge/parameters/encodings/multipart.ts'

const encoder = new TextEncoder()

interface Written {
  head: string
  content: Uint8Array
}

const joined = (pieces: readonly (string | Uint8Array)[]) => {
  const all = pieces.map(piece => (typeof piece === 'string' ? encoder.encode(piece) : piece))
  return Uint8Array.from(all.flatMap(bytes => [...bytes]))
}

const bodyOf = (boundary: string, parts: readonly Written[]) =>
  joined([
    ...parts.flatMap(({ head, content }) => [`--${boundary}\r\n${head}\r\n\r\n`, content, '\r\n']),
    `--${boundary}--\r\n`,
  ])

const named = (name: string) => `Content-Disposition: form-data; name="${name}"`

/** Heads and contents of a body that arrives in chunks with these ends. */
function scanned(boundary: string, body: Uint8Array, ends: readonly number[]) {
  const heads: PartHead[] = []
  const scan = scanMultipart(boundary, {
    begins: head => heads.push(head),
    grows: (_, size) => expect(size).toBeGreaterThanOrEqual(0),
  })
  for (const end of [...ends, body.length]) scan.advance(body.subarray(0, end))
  return {
    heads,
    contents: scan.finish().map(({ start, end }) => [...body.subarray(start, end)]),
  }
}

describe('scanMultipart', () => {
  it('reads any contents in any chunks', () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      // Contents that resemble boundaries.
      fc.array(fc.constantFrom('\r\n', '\r', '\n', '--', '-', 'b', '--b', 'x')).map(all => joined(all)),
    )
    fc.assert(
      fc.property(
        fc.array(content, { maxLength: 4 }),
        fc.array(fc.nat(400), { maxLength: 30 }),
        (contents, cuts) => {
          const parts = contents.map((bytes, i) => ({ head: named(`f${i}`), content: bytes }))
          const boundary = 'bbxb--b'
          const body = bodyOf(boundary, parts)
          const ends = cuts.filter(cut => cut < body.length).sort((a, b) => a - b)
          const isAmbiguous = contents.some(bytes =>
            new TextDecoder('latin1').decode(bytes).includes(`--${boundary}`),
          )
          fc.pre(!isAmbiguous)
          const read = scanned(boundary, body, ends)
          expect(read.contents).toEqual(contents.map(bytes => [...bytes]))
          expect(read.heads.map(({ name }) => name)).toEqual(contents.map((_, i) => `f${i}`))
        },
      ),
    )
  })

  it.each([
    ['a non-ASCII name', named('ä€'), { name: 'ä€', filename: undefined }],
    [
      'a Cyrillic file name',
      `${named('photo')}; filename="Иван.jpg"`,
      { name: 'photo', filename: 'Иван.jpg' },
    ],
    ['an encoded file name', `${named('photo')}; filename*=UTF-8''%D0%98.jpg`, { filename: 'И.jpg' }],
    ['backslashes', `${named('photo')}; filename="C:\\x\\a \\"b\\".jpg"`, { filename: 'C:\\x\\a "b".jpg' }],
    ['no name', 'Content-Type: text/plain', { name: undefined, mediaType: 'text/plain' }],
    ['a broken disposition', 'Content-Disposition: form-data; name=', {}],
  ])('reads a head with %s', (_, head, expected) => {
    expect(scanned('b', bodyOf('b', [{ head, content: new Uint8Array() }]), []).heads[0]).toMatchObject(
      expected,
    )
  })

  it('reads parts without headers, spaces after boundaries, a preamble and an epilogue', () => {
    const body = encoder.encode(
      `preamble\r\n--b \t\r\n\r\nbare\r\n--b\r\n${named('n')}\r\n\r\n--bc\r\n--b--\r\nepilogue`,
    )
    const text = (bytes: number[]) => String.fromCharCode(...bytes)
    expect(scanned('b', body, [3, 20, 22]).contents.map(text)).toEqual(['bare', '--bc'])
  })

  it.each([
    ['no end', `--b\r\n${named('n')}\r\n\r\n7`],
    ['an end without its final dashes', `--b\r\n${named('n')}\r\n\r\n7\r\n--b`],
    ['unterminated headers', `--b\r\n${'x'.repeat(REQUEST_LIMITS.partHeaderBytes + 1)}`],
    [
      'headers that are too long',
      `--b\r\n${'x'.repeat(REQUEST_LIMITS.partHeaderBytes + 1)}\r\n\r\n\r\n--b--`,
    ],
    ['a preamble that is too long', 'x'.repeat(REQUEST_LIMITS.preambleBytes + 1)],
  ])('refuses a body with %s', (_, body) => {
    expect(() => scanned('b', encoder.encode(body), [])).toThrow('BAD_PARAM')
  })

  it('refuses a folded header, and says so', () => {
    const body = bodyOf('b', [{ head: named('photo').replace('; ', ';\r\n\t'), content: new Uint8Array() }])
    expect(() => scanned('b', body, [])).toThrow(
      expect.objectContaining({
        detail: expect.objectContaining({ reason: expect.stringContaining('second line') }),
      }),
    )
  })

  it('refuses more headers of all parts than REQUEST_LIMITS.partHeadersBytes', () => {
    const head = `${named('x')}; ${'y'.repeat(REQUEST_LIMITS.partHeaderBytes - 100)}`
    const count = Math.ceil(REQUEST_LIMITS.partHeadersBytes / head.length)
    const bodyWith = (parts: number) =>
      bodyOf('b', Array<Written>(parts).fill({ head, content: new Uint8Array() }))
    expect(scanned('b', bodyWith(count - 1), []).heads).toHaveLength(count - 1)
    expect(() => scanned('b', bodyWith(count), [])).toThrow(expect.objectContaining({ code: 'BAD_PARAM' }))
  })

  it('logs no character set that a sender makes up', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const head = `${named('photo')}; filename="a.jpg"; filename*=`
    const parts = ["made-up''b.jpg", "UTF-8''%C3%A4.jpg"].map(name => ({
      head: head + name,
      content: new Uint8Array(),
    }))
    const { heads } = scanned('b', bodyOf('b', parts), [])
    expect(heads.map(({ filename }) => filename)).toEqual(['a.jpg', '\u00e4.jpg'])
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  it('refuses an unterminated part with a million line breaks', () => {
    const breaks = encoder.encode('\r\n--'.repeat(2 ** 20))
    const scan = scanMultipart('b', { begins: () => 0, grows: () => {} })
    const body = joined([`--b\r\n${named('n')}\r\n\r\n`])
    const whole = new Uint8Array(body.length + breaks.length)
    whole.set(body)
    whole.set(breaks, body.length)
    for (let end = 2 ** 16; end < whole.length; end += 2 ** 16) scan.advance(whole.subarray(0, end))
    expect(() => scan.finish()).toThrow('BAD_PARAM')
  })
})
