/** Export and import of vectors: identical copies, resumed exports, and refused damage. */

import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { exportVectors } from '#core/vector-store/transfer/export.ts'
import { checkExport, importVectors } from '#core/vector-store/transfer/import.ts'
import type { VectorEntry, VectorStore } from '#core/vector-store/vector-store.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { closeWithTest } from '#test/unit/core/vector-store/known.ts'

const EMBEDDER = 'faces-4'

const entries: VectorEntry[] = times(3_000, i => ({
  gallery: `g${i % 3}`,
  id: i * 1_000_003,
  vector: Float32Array.of(Math.sin(i), Math.cos(i), i / 3_000, -1e-7),
}))

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await temporaryFolder()
  file = join(folder, 'vectors.jsonl')
})

let stores = 0
async function openStore(filled: readonly VectorEntry[] = []): Promise<VectorStore> {
  const store = await closeWithTest(openShard(join(folder, `${stores++}`)))
  if (filled.length > 0) await store.add(filled)
  return store
}

const settings = (gallery?: string) => ({ file, embedder: EMBEDDER, gallery })

async function contents(store: VectorStore): Promise<VectorEntry[]> {
  const found: VectorEntry[] = []
  for (const { gallery } of await store.galleries()) {
    const { vectors } = await store.list(gallery, 0, 10_000)
    found.push(...vectors.map(({ id, vector }) => ({ gallery, id, vector })))
  }
  return found.sort((a, b) => a.id - b.id)
}

describe('exportVectors', () => {
  it('exports every vector bit by bit', async () => {
    expect(await exportVectors(await openStore(entries), settings())).toBe(entries.length)
    expect(await checkExport(file, EMBEDDER)).toBe(entries.length)
    const target = await openStore()
    expect(await importVectors(target, file)).toEqual({ added: entries.length, present: 0, taken: 0 })
    expect(await contents(target)).toEqual(entries)
  })

  it.each([1, 150_000])('resumes after %i bytes with an identical result', async bytes => {
    const store = await openStore(entries)
    await exportVectors(store, settings())
    const whole = await readFile(file)
    await writeFile(`${file}.partial`, whole.subarray(0, bytes))
    await exportVectors(store, settings())
    expect(await readFile(file)).toEqual(whole)
  })

  it('does not resume another export', async () => {
    const store = await openStore(entries)
    await exportVectors(store, settings())
    await writeFile(`${file}.partial`, await readFile(file))
    await expect(exportVectors(store, settings('g1'))).rejects.toMatchObject({
      name: 'TransferRefused',
    })
  })
})

describe('importVectors and checkExport', () => {
  beforeEach(async () => {
    await exportVectors(await openStore(entries), settings())
  })

  it('skip existing vectors, and count ids that have another vector', async () => {
    const target = await openStore([
      ...entries.slice(0, 700),
      { gallery: 'g1', id: entries[1_000]!.id, vector: Float32Array.of(1, 1, 1, 1) },
    ])
    expect(await importVectors(target, file)).toEqual({ added: 2_299, present: 700, taken: 1 })
    expect(await target.get({ gallery: 'g1', id: entries[1_000]!.id })).toEqual(Float32Array.of(1, 1, 1, 1))
    expect(await importVectors(target, file)).toEqual({ added: 0, present: 2_999, taken: 1 })
  })

  it.each([
    { what: 'is truncated at the end of a line', damage: () => cutLine(-1) },
    { what: 'lacks a line', damage: () => cutLine(500) },
    { what: 'continues after its end', damage: () => appendFile(file, '{}\n') },
    { what: 'is no export', damage: () => writeFile(file, 'id,vector\n1,2\n') },
  ])('refuse a file that $what', async ({ damage }) => {
    await damage()
    await expect(checkExport(file, EMBEDDER)).rejects.toMatchObject({ name: 'TransferRefused' })
  })

  it('refuse vectors of another embedder', async () => {
    await expect(checkExport(file, 'faces-5')).rejects.toMatchObject({ name: 'TransferRefused' })
  })

  it('detect every changed byte', async () => {
    const whole = await readFile(file)
    for (let flip = 0; flip < 40; flip++) {
      const damaged = Buffer.from(whole)
      const at = (flip * 104_729 + 11) % damaged.length
      damaged[at]! ^= 1 << (flip % 8)
      await writeFile(file, damaged)
      await expect(checkExport(file, EMBEDDER), `byte ${at}`).rejects.toMatchObject({
        name: 'TransferRefused',
      })
    }
  })
})

/** Removes one line; -1 is the last. */
async function cutLine(at: number) {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  lines.splice(at, 1)
  await writeFile(file, `${lines.join('\n')}\n`)
}
