/** Packs of pictures: changes of faces change few packs, and a pack restores its pictures. */

import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { packsOf, packText, readPack, unpack } from '#core/backup/repository/picture-packs.ts'
import { facePicturesOf, type PictureFile, type PictureKey, pathOf } from '#core/pictures/pictures.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '../../folder.ts'

const OWNER = '0123456789abcdef01234567'

const keys = (ids: readonly number[]): PictureKey[] => ids.map(id => ({ owner: OWNER, id }))

async function packs(ids: readonly number[]) {
  const found: string[] = []
  const faces = (async function* () {
    yield* keys(ids)
  })()
  for await (const pack of packsOf(faces)) found.push(pack.map(({ id }) => id).join())
  return found
}

const ids = times(5_000, i => 1_000 + 7 * i)

describe('packsOf', { tags: 'long' }, () => {
  it('puts every face into one pack, in order', async () => {
    const found = await packs(ids)
    expect(found.join()).toBe(ids.join())
    expect(found.length).toBeGreaterThan(40)
    expect(Math.max(...found.map(pack => pack.split(',').length))).toBeLessThanOrEqual(128)
  })

  it('changes few packs when a face is deleted or added', async () => {
    const before = new Set(await packs(ids))
    await fc.assert(
      fc.asyncProperty(fc.nat(ids.length - 1), async place => {
        const without = await packs(ids.toSpliced(place, 1))
        expect(without.filter(pack => !before.has(pack)).length).toBeLessThanOrEqual(5)
        const withOne = await packs(ids.toSpliced(place, 0, ids[place]! - 1))
        expect(withOne.filter(pack => !before.has(pack)).length).toBeLessThanOrEqual(5)
      }),
      { numRuns: 5 },
    )
  })
})

describe('a pack', () => {
  const bytesOf = (picture: PictureFile) => hash('sha512', pathOf(picture), 'buffer')

  it('restores its pictures, and names those that are missing', async () => {
    const faces = keys([5, 6, 300])
    const lost = facePicturesOf(faces[1]!)[0]!
    const { content, missing } = await readPack(
      { readStored: async picture => (pathOf(picture) === pathOf(lost) ? undefined : bytesOf(picture)) },
      faces,
    )
    expect(missing).toEqual([pathOf(lost)])
    expect(packText(faces, missing)).not.toEqual(packText(faces, []))
    expect(packText([...faces.slice(1), { ...faces[0]!, updates: 1 }], [])).not.toEqual(
      packText([...faces.slice(1), { ...faces[0]!, updates: 2 }], []),
    )
    const folder = await temporaryFolder()
    expect(await unpack(content, folder)).toHaveLength(5)
    for (const picture of facePicturesOf(faces[2]!))
      expect(new Uint8Array(await readFile(join(folder, pathOf(picture))))).toEqual(
        new Uint8Array(bytesOf(picture)),
      )
  })

  it.each(['', '[]', '[["../../etc/passwd",1]]\nx', '[["a",1]]\n', '{}\n', '[]\nmore'])(
    'is refused when it is %j',
    async text => {
      await expect(unpack(Buffer.from(text), await temporaryFolder())).rejects.toMatchObject({
        name: 'BackupRefused',
      })
    },
  )
})
