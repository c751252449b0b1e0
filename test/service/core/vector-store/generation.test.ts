/** Generations of vectors: each has one embedder; the next is created beside the served one and replaces it at once. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareNext, recordedGeneration, servedShards } from '#core/vector-store/generation.ts'
import { openNextGeneration, openVectorStore, serveNextGeneration } from '#core/vector-store/open.ts'
import { localLayout, recordLayout } from '#core/vector-store/sharding/layout.ts'
import type { VectorStore } from '#core/vector-store/vector-store.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

const entry = (id: number, ...vector: number[]) => ({ gallery: 'g', id, vector: Float32Array.from(vector) })

async function using<Result>(opening: Promise<VectorStore>, work: (store: VectorStore) => Promise<Result>) {
  const store = await opening
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const keep = (embedder: string | undefined, id: number) =>
  using(openVectorStore(folder, { embedder }), store => store.add([entry(id, 1, id)]))

const ids = (opening: Promise<VectorStore>) =>
  using(opening, async store => {
    const found: number[] = []
    for await (const { id } of store.keys()) found.push(id)
    return found.sort((a, b) => a - b)
  })

describe('openVectorStore', () => {
  it('records its embedder and refuses another one', async () => {
    await keep('a', 1)
    expect(await recordedGeneration(folder)).toEqual({ number: 0, embedder: 'a' })
    await expect(openVectorStore(folder, { embedder: 'b' })).rejects.toMatchObject({
      name: 'GenerationMismatch',
      stored: 'a',
    })
    expect(await ids(openVectorStore(folder, { embedder: 'a' }))).toEqual([1])
    expect(await ids(openVectorStore(folder))).toEqual([1])
  })

  it('accepts another embedder while the store is empty', async () => {
    await using(openVectorStore(folder, { embedder: 'a' }), async () => {})
    await keep('b', 1)
    expect(await recordedGeneration(folder)).toEqual({ number: 0, embedder: 'b' })
  })

  it('refuses vectors whose record is missing, before and after a conversion', async () => {
    await keep('a', 1)
    const record = join(folder, 'generation.json')
    const written = await readFile(record)
    await rm(record)
    await expect(openVectorStore(folder, { embedder: 'a' })).rejects.toMatchObject({ name: 'LayoutRefused' })
    await writeFile(record, written)
    await convert('b', 2)
    await rm(record)
    await expect(openVectorStore(folder, { embedder: 'b' })).rejects.toMatchObject({ name: 'LayoutRefused' })
  })
})

/** Creates the next generation with one vector and serves it. */
async function convert(embedder: string, id: number) {
  await using(openVectorStore(folder), () =>
    using(openNextGeneration(folder, embedder), next => next.add([entry(id, 1, id, 7)])),
  )
  await serveNextGeneration(folder, embedder)
}

describe('openNextGeneration', { tags: 'long' }, () => {
  it('is invisible until it is served, and then replaces the served vectors', async () => {
    await keep('a', 1)
    await using(openVectorStore(folder), store =>
      using(openNextGeneration(folder, 'b'), async next => {
        await next.add([entry(1, 3, 2, 1)])
        expect(await store.get(entry(1))).toEqual(Float32Array.of(1, 1))
      }),
    )
    expect(await ids(openVectorStore(folder, { embedder: 'a', keepNext: true }))).toEqual([1])
    await serveNextGeneration(folder, 'b')
    const vector = await using(openVectorStore(folder, { embedder: 'b' }), store => store.get(entry(1)))
    expect(vector).toEqual(Float32Array.of(3, 2, 1))
    const shards = (await readdir(folder)).filter(name => name.startsWith('shard-'))
    expect(shards).toEqual(await servedShards(folder))
    expect(shards).toEqual([expect.stringMatching(/^shard-0\.1$/)])
  })

  it('resumes for the same embedder, and starts again for another one', async () => {
    await keep('a', 1)
    await using(openNextGeneration(folder, 'b'), next => next.add([entry(5, 1)]))
    expect(await ids(openNextGeneration(folder, 'b'))).toEqual([5])
    expect(await ids(openNextGeneration(folder, 'c'))).toEqual([])
  })

  it('refuses a store whose shards are partly in databases', async () => {
    const [first, second] = localLayout(2)
    await recordLayout(folder, [first!, { ...second!, address: 'postgres://me@127.0.0.1:9/faces' }])
    await expect(openNextGeneration(folder, 'b')).rejects.toThrow('Bring their vectors here first')
  })

  it('starts again when the begun generation has another number', async () => {
    await keep('a', 1)
    await mkdir(join(folder, 'shard-0.7'))
    expect(await prepareNext(folder, 'b')).toEqual({ number: 1, embedder: 'b' })
    expect(await readdir(folder)).not.toContain('shard-0.7')
  })
})
