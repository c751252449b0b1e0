/** Signed links: what opens a picture, and all that does not. */
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../core/contract/limits.ts'
import { type LinkKeys, openLink, pictureLink } from '../../../../core/pictures/links.ts'

const signer: LinkKeys = [{ id: 'a1', key: 'a key for tests' }]
const face = { owner: '0123456789abcdef01234567', id: 4_611_686_018_427 }
const NOW = Date.UTC(2024, 4, 17, 8, 30)
const HOUR = 3_600_000

const link = pictureLink(signer, face, 'thumbnail', NOW)
const replaced = (from: string | RegExp, to: string) => link.replace(from, to)
const lastLetter = link.at(-1) === 'A' ? 'B' : 'A'

describe('a link to a picture', () => {
  it('opens the picture it was made for', () => {
    expect(openLink(signer, link, NOW)).toMatchObject({ key: face, kind: 'thumbnail' })
    expect(openLink(signer, pictureLink(signer, face, 'normalized', NOW), NOW)).toMatchObject({
      key: face,
      kind: 'normalized',
    })
  })

  it('is open for the promised time and at most an hour more', () => {
    expect(openLink(signer, link, NOW + LIMITS.pictureLinkMs - 1)).toBeDefined()
    expect(openLink(signer, link, NOW + LIMITS.pictureLinkMs + HOUR)).toBeUndefined()
  })

  it('stays the same within an hour, and changes after it', () => {
    expect(pictureLink(signer, face, 'thumbnail', NOW + HOUR / 4)).toBe(link)
    expect(pictureLink(signer, face, 'thumbnail', NOW + HOUR)).not.toBe(link)
  })

  it('works for the smallest and the greatest id', () => {
    for (const id of [0, Number.MAX_SAFE_INTEGER]) {
      const made = pictureLink(signer, { ...face, id }, 'thumbnail', NOW)
      expect(openLink(signer, made, NOW)?.key.id).toBe(id)
    }
  })

  it.each([
    { change: 'another face', changed: replaced(String(face.id), String(face.id + 1)) },
    { change: 'a zero before the id', changed: replaced(String(face.id), `0${face.id}`) },
    { change: 'another owner', changed: replaced('0123', '1123') },
    { change: 'the other picture', changed: replaced('thumbnail.jpg', 'normalized.png') },
    { change: 'another file', changed: replaced('thumbnail.jpg', 'secrets.json') },
    { change: 'a way up', changed: replaced('/thumbnail.jpg', '/../thumbnail.jpg') },
    { change: 'a later expiry', changed: replaced(/expires=\d/, 'expires=9') },
    { change: 'no expiry', changed: replaced(/expires=\d+&/, '') },
    { change: 'another key', changed: replaced('key=a1', 'key=a2') },
    { change: 'another order', changed: replaced(/(expires=\d+)&(key=a1)/, '$2&$1') },
    { change: 'a parameter more', changed: `${link}&size=1` },
    { change: 'another signature', changed: link.slice(0, -43).concat('A'.repeat(43)) },
    { change: 'another last letter', changed: link.slice(0, -1).concat(lastLetter) },
    { change: 'half a signature', changed: link.slice(0, -20) },
    { change: 'no signature', changed: replaced(/&signature=.*/, '') },
    { change: 'a fragment', changed: `${link}#` },
    { change: 'a line break', changed: `${link}\n` },
    { change: 'nothing but a path', changed: replaced(/\?.*/, '') },
  ])('is shut after $change', ({ changed }) => {
    expect(changed).not.toBe(link)
    expect(openLink(signer, changed, NOW)).toBeUndefined()
  })

  it('is shut for another key of the same name', () => {
    expect(openLink([{ id: 'a1', key: 'another' }], link, NOW)).toBeUndefined()
  })

  const next = { id: 'b2', key: 'the key after it' }

  it('lives on under the key before, and ends with it', () => {
    expect(openLink([next, ...signer], link, NOW)).toMatchObject({ key: face, kind: 'thumbnail' })
    expect(openLink([next], link, NOW)).toBeUndefined()
  })

  it('is signed by the first key, and opened by the key that it names alone', () => {
    const rotated: LinkKeys = [next, ...signer]
    const made = pictureLink(rotated, face, 'thumbnail', NOW)
    expect(made).toContain('&key=b2&')
    expect(openLink([next], made, NOW)).toBeDefined()
    expect(openLink(rotated, made.replace('key=b2', 'key=a1'), NOW)).toBeUndefined()
  })
})
