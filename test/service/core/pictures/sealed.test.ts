/** Pictures of an encrypted folder: readable only with the key, and only at their own place. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderObjects, prepareFolder } from '#core/pictures/folder.ts'
import { type PictureFile, pathOf, picturesIn } from '#core/pictures/pictures.ts'
import { faceOf, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { foundIn } from '#test/unit/core/backup/keys.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

const dataKey = new Uint8Array(32).fill(1)

const CLIP = Buffer.from('a clip of a camera')

const FACES = [
  { owner: OWNER, id: 1 },
  { owner: OWNER, id: 2 },
  { owner: OTHER_OWNER, id: 3 },
]

let root = ''
beforeEach(async () => {
  root = await temporaryFolder()
  const { chip, thumbnail } = faceOf(200, 100, 50)
  await prepareFolder(root)
  await pictures().write(FACES.map(face => ({ ...face, thumbnail, normalized: chip })))
  await pictures().put({ ...FACES[0]!, kind: 'clip' }, CLIP)
})

const at = (file: PictureFile) => join(root, pathOf(file))
const pictures = (key = dataKey) => picturesIn(folderObjects(root), key)

const THUMBNAIL = { owner: OWNER, id: 1, kind: 'thumbnail' } as const

describe('encrypted pictures', () => {
  it('are readable only with the key', async () => {
    const jpeg = await pictures().read(THUMBNAIL, 'thumbnail')
    expect(Buffer.from(jpeg!.subarray(0, 2)).toString('hex')).toBe('ffd8')
    const others = [picturesIn(folderObjects(root)), pictures(dataKey.map(byte => byte + 1))]
    for (const other of others) expect(await other.read(THUMBNAIL, 'thumbnail')).toBeUndefined()
    expect(foundIn(root, { jpeg: jpeg!.subarray(0, 12), png: Buffer.from('IHDR'), clip: CLIP })).toEqual([])
    expect(await pictures().missing(FACES)).toEqual([])
    expect(readdirSync(join(root, '.writing'))).toEqual([])
  })

  it.each([
    { of: 'another face', other: { ...THUMBNAIL, id: 2 } },
    { of: 'another owner', other: { owner: OTHER_OWNER, id: 3, kind: 'thumbnail' as const } },
    { of: 'another kind', other: { ...THUMBNAIL, kind: 'normalized' as const } },
  ])('are not readable at the place of $of', async ({ other }) => {
    cpSync(at(THUMBNAIL), at(other))
    expect(await pictures().read(other, other.kind)).toBeUndefined()
    expect(await pictures().missing(FACES)).toEqual([other])
  })

  it('count as missing after a changed byte', async () => {
    const bytes = readFileSync(at(THUMBNAIL))
    for (const place of [0, 9, 13, bytes.length >> 1, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[place]! ^= 1
      writeFileSync(at(THUMBNAIL), changed)
      expect(await pictures().read(THUMBNAIL, 'thumbnail'), `byte ${place}`).toBeUndefined()
      expect(await pictures().missing(FACES)).toEqual([THUMBNAIL])
    }
  })
})
