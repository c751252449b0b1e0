/** Lists of pairs in the format of LFW, and as CSV. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPairs, someOfEach } from '#bench/lib/faces/labelled-pairs.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mien-pairs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const read = async (text: string) => {
  const file = join(folder, 'list')
  await writeFile(file, text)
  return readPairs(file, 'faces')
}

describe('readPairs', () => {
  it.each([
    ['one number', '2'],
    ['two numbers', '10\t300'],
  ])('reads an LFW list with %s in its first line', async (_, head) => {
    expect(await read(`${head}\nAda_Lovelace\t1\t12\r\nAda_Lovelace\t3\tAlan_Turing\t2\n`)).toEqual([
      {
        first: 'faces/Ada_Lovelace/Ada_Lovelace_0001.jpg',
        second: 'faces/Ada_Lovelace/Ada_Lovelace_0012.jpg',
        same: true,
      },
      {
        first: 'faces/Ada_Lovelace/Ada_Lovelace_0003.jpg',
        second: 'faces/Alan_Turing/Alan_Turing_0002.jpg',
        same: false,
      },
    ])
  })

  it.each([
    ['with a header row', 'a,b,same\n'],
    ['without a header row', ''],
  ])('reads a CSV list %s', async (_, head) => {
    expect(await read(`${head}x.jpg, y z.png ,Yes\nx.jpg,w/v.webp,0\n`)).toEqual([
      { first: 'faces/x.jpg', second: 'faces/y z.png', same: true },
      { first: 'faces/x.jpg', second: 'faces/w/v.webp', same: false },
    ])
  })

  it.each(['a.jpg,b.jpg,1\na.jpg,b.jpg,perhaps', 'a.jpg,b.jpg,1\na.jpg,1', 'a,b,1\nc,d,1,0', '1\nAda 1\n'])(
    'refuses a list with an invalid row and names its line: %j',
    async text => {
      await expect(read(text)).rejects.toThrow('line 2')
    },
  )

  it('someOfEach limits the number of pairs of each kind', async () => {
    const pairs = await read('a,b,0\na,c,1\nb,d,0\nc,e,1\n')
    expect(someOfEach(pairs, 1).map(({ second }) => second)).toEqual(['faces/c', 'faces/b'])
  })
})
