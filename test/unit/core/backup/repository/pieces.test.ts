/** Pieces: only stored bytes are read again. */
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { pieceForm } from '#core/backup/repository/record.ts'
import { newDataKey } from '#core/encryption/key-file.ts'

const sha256 = (bytes: Uint8Array) => hash('sha256', bytes)

describe.each([
  { what: 'plain', dataKey: undefined },
  { what: 'encrypted', dataKey: newDataKey() },
])('a piece, $what', ({ dataKey }) => {
  const form = pieceForm(dataKey)

  it('is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), async content => {
        const name = form.name(content)
        expect(await form.read(name, await form.stored(name, content))).toEqual(content)
      }),
    )
  })

  it('is not read after any change of a byte, or a cut', async () => {
    const content = Buffer.from('a piece with some text, some text, some text')
    const name = form.name(content)
    const stored = await form.stored(name, content)
    for (let at = 0; at < stored.length; at++) {
      const changed = Buffer.from(stored)
      changed[at]! ^= 1 << (at % 8)
      const read = await form.read(name, changed)
      // A bit of padding of the compression may have no meaning.
      if (read) expect(Buffer.from(read).equals(content)).toBe(true)
      expect(await form.read(name, stored.subarray(0, at))).toBeUndefined()
    }
  })
})

describe('the name of a piece', () => {
  it('is its SHA-256, and with a key it tells nothing without the key', () => {
    const content = Buffer.from('content')
    expect(pieceForm(undefined).name(content)).toBe(sha256(content))
    const [one, other] = [newDataKey(), newDataKey()].map(key => pieceForm(key).name(content))
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set([one, other, sha256(content)]).size).toBe(3)
  })

  it('of an encrypted piece belongs to its content alone', async () => {
    const form = pieceForm(newDataKey())
    const [one, other] = [Buffer.from('one'), Buffer.from('other')]
    expect(await form.read(form.name(other), await form.stored(form.name(one), one))).toBeUndefined()
  })
})
