/** The exact store: the shared suite, and what is its own: one file, one process, nothing left of the removed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openExactStore } from '../../../core/store/exact.ts'
import { VectorFileLocked } from '../../../core/store/vector-file.ts'

const root = mkdtempSync(join(tmpdir(), 'mien-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let file = ''
let counter = 0
beforeEach(() => {
  file = join(root, `${counter++}.db`)
})

const { behavesAsAVectorStore } = await import('./vector-store.suite.ts')
behavesAsAVectorStore('the exact store', async () => openExactStore(file))

describe('the exact store', () => {
  it('refuses a second opening, from this process or another, and allows it after the first is closed', async () => {
    const store = openExactStore(file)
    expect(() => openExactStore(file)).toThrow(VectorFileLocked)
    const script = `import { openExactStore } from ${JSON.stringify(modulePath)}
      try { openExactStore(${JSON.stringify(file)}); process.exit(0) } catch (error) { process.exit(error.name === 'VectorFileLocked' ? 7 : 1) }`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script])
    expect(await once(child, 'exit')).toEqual([7, null])
    await store.close()
    await openExactStore(file).close()
  })

  it('leaves no byte of a removed vector in its files', async () => {
    const store = openExactStore(file)
    const keep = {
      gallery: 'g',
      id: 1,
      vector: Float32Array.from({ length: 128 }, (_, i) => Math.sin(i + 1)),
    }
    const gone = {
      gallery: 'g',
      id: 2,
      vector: Float32Array.from({ length: 128 }, (_, i) => Math.cos(i + 1)),
    }
    await store.add([keep, gone])
    expect(await holds(gone.vector)).toBe(true)
    await store.remove([gone])
    expect(await holds(gone.vector)).toBe(false)
    expect(await holds(keep.vector)).toBe(true)
    await store.close()
  })

  it('keeps thousands of small galleries within a few kilobytes each', async () => {
    const store = openExactStore(file)
    const before = process.memoryUsage.rss()
    const vector = new Float32Array(128).fill(0.5)
    await store.add(Array.from({ length: 5_000 }, (_, i) => ({ gallery: `owner_${i}`, id: i, vector })))
    expect((process.memoryUsage.rss() - before) / 5_000).toBeLessThan(20_000)
    expect(await store.search('owner_4321', vector, { limit: 1, minScore: 0 })).toMatchObject([{ id: 4321 }])
    await store.close()
  })
})

const modulePath = new URL('../../../core/store/exact.ts', import.meta.url).href

/** Do the bytes of this vector lie in any file of the store? */
async function holds(vector: Float32Array): Promise<boolean> {
  const names = (await readdir(root)).filter(name => join(root, name).startsWith(file))
  const contents = await Promise.all(names.map(name => readFile(join(root, name))))
  return contents.some(bytes => bytes.includes(Buffer.from(vector.buffer)))
}
