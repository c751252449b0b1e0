/** Forms and queries, decoded like URLSearchParams. */
import * as fc from 'fast-check'
import { readForm } from '#edge/parameters/encodings/form.ts'

async function read(text: string) {
  const pairs: [string, string][] = []
  const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  await readForm(new TextEncoder().encode(text), async (name, value) => {
    if (name.length + value.length > 0) pairs.push([decode(name), decode(value)])
  })
  return pairs
}

describe('readForm', () => {
  it('reads any form like URLSearchParams', async () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom('&', '=', '%', '+', '%41', '%2', 'a'), fc.string()))
      .map(all => all.join(''))
    await fc.assert(
      fc.asyncProperty(text, async form => {
        const wellFormed = form.toWellFormed().replaceAll('?', '')
        const expected = [...new URLSearchParams(wellFormed)].filter(([name, value]) => name + value !== '')
        expect(await read(wellFormed)).toEqual(expected)
      }),
    )
  })

  it('reads a form of several chunks', async () => {
    const long = '%41+'.repeat(2 ** 20)
    expect(await read(`a=${long}&b=1`)).toEqual([
      ['a', 'A '.repeat(2 ** 20)],
      ['b', '1'],
    ])
  })
})
