/** Signed links to pictures: valid links, and refusals of changed ones. */
import { STORE_LIMITS } from '#contract/limits/store.ts'
import { type LinkKeys, openLink, pictureLink } from '#core/pictures/links.ts'

const signer: LinkKeys = [{ id: 'a1', key: 'a key for tests' }]
const face = { owner: '0123456789abcdef01234567', id: 4_611_686_018_427 }
const NOW = Date.UTC(2024, 4, 17, 8, 30)
const HOUR = 3_600_000

const link = pictureLink(signer, face, 'thumbnail', NOW)
const replaced = (from: string | RegExp, to: string) => link.replace(from, to)

describe('openLink', () => {
  it('opens the picture that pictureLink signed', () => {
    expect(openLink(signer, link, NOW)).toMatchObject({ key: face, kind: 'thumbnail' })
    expect(openLink(signer, pictureLink(signer, face, 'normalized', NOW), NOW)).toMatchObject({
      key: face,
      kind: 'normalized',
    })
  })

  it('accepts a link for STORE_LIMITS.pictureLinkMs and at most an hour more', () => {
    expect(openLink(signer, link, NOW + STORE_LIMITS.pictureLinkMs - 1)).toBeDefined()
    expect(openLink(signer, link, NOW + STORE_LIMITS.pictureLinkMs + HOUR)).toBeUndefined()
  })

  it('pictureLink returns the same link within an hour, and another one after it', () => {
    expect(pictureLink(signer, face, 'thumbnail', NOW + HOUR / 4)).toBe(link)
    expect(pictureLink(signer, face, 'thumbnail', NOW + HOUR)).not.toBe(link)
  })

  it('accepts the smallest and the greatest id', () => {
    for (const id of [0, Number.MAX_SAFE_INTEGER]) {
      const made = pictureLink(signer, { ...face, id }, 'thumbnail', NOW)
      expect(openLink(signer, made, NOW)?.key.id).toBe(id)
    }
  })

  it.each([
    { change: 'another face', changed: replaced(String(face.id), String(face.id + 1)) },
    { change: 'another owner', changed: replaced('0123', '1123') },
    { change: 'the other kind of picture', changed: replaced('thumbnail.jpg', 'normalized.png') },
    { change: 'a parent segment in the path', changed: replaced('/thumbnail.jpg', '/../thumbnail.jpg') },
    { change: 'a later expiry', changed: replaced(/expires=\d/, 'expires=9') },
    { change: 'no expiry', changed: replaced(/expires=\d+&/, '') },
    { change: 'another key', changed: replaced('key=a1', 'key=a2') },
    { change: 'another order of parameters', changed: replaced(/(expires=\d+)&(key=a1)/, '$2&$1') },
    { change: 'another signature', changed: link.slice(0, -43).concat('A'.repeat(43)) },
    { change: 'a truncated signature', changed: link.slice(0, -20) },
    { change: 'no signature', changed: replaced(/&signature=.*/, '') },
    { change: 'a line break', changed: `${link}\n` },
  ])('refuses a link with $change', ({ changed }) => {
    expect(changed).not.toBe(link)
    expect(openLink(signer, changed, NOW)).toBeUndefined()
  })

  it('refuses a link of another key with the same id', () => {
    expect(openLink([{ id: 'a1', key: 'another' }], link, NOW)).toBeUndefined()
  })

  const next = { id: 'b2', key: 'the next key' }

  it('pictureLink signs with the first key, and openLink checks a link with the key that it names only', () => {
    const rotated: LinkKeys = [next, ...signer]
    const made = pictureLink(rotated, face, 'thumbnail', NOW)
    expect(made).toContain('&key=b2&')
    expect(openLink([next], made, NOW)).toBeDefined()
    expect(openLink(rotated, made.replace('key=b2', 'key=a1'), NOW)).toBeUndefined()
  })
})
