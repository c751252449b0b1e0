/** An import that is killed MIEN_KILL_ROUNDS times stores each vector once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { exportVectors } from '#core/vector-store/transfer/export.ts'
import { importVectors } from '#core/vector-store/transfer/import.ts'
import type { VectorEntry } from '#core/vector-store/vector-store.ts'
import { temporaryFolder } from '../../folder.ts'
import { KILL_ROUNDS } from '../../kill-rounds.ts'

const entries: VectorEntry[] = Array.from({ length: 20_000 }, (_, i) => ({
  gallery: `g${i % 2}`,
  id: i * 1_000_003,
  vector: Float32Array.of(Math.sin(i), Math.cos(i), i / 20_000, -1e-7),
}))

it('importVectors stores each vector once after repeated kills', {
  tags: 'long',
  timeout: KILL_ROUNDS * 60_000,
}, async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'vectors.jsonl')
  const source = await openShard(join(folder, 'source'))
  await source.add(entries)
  await exportVectors(source, { file, embedder: 'faces-4' })
  await source.close()

  const target = join(folder, 'target')
  let durable = 0
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const reported = await killedImport(target, file, (round * 7) % 60)
    durable = Math.max(durable, reported)
    const store = await openShard(target)
    expect(await count(store.keys()), `round ${round}`).toBeGreaterThanOrEqual(durable)
    await store.close()
  }

  const store = await openShard(target)
  const { added, present, taken } = await importVectors(store, file)
  expect({ all: added + present, taken }).toEqual({ all: entries.length, taken: 0 })
  expect(present).toBeGreaterThanOrEqual(durable)
  for (const { gallery, id, vector } of entries) expect(await store.get({ gallery, id })).toEqual(vector)
  expect(await count(store.keys())).toBe(entries.length)
  await store.close()
})

/** Kills an import some time after its first batch. Returns the number of vectors that it reported as durable. */
async function killedImport(target: string, file: string, milliseconds: number): Promise<number> {
  const script = join(import.meta.dirname, 'import.child.ts')
  const child = spawn(process.execPath, [script, target, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  await delay(milliseconds)
  child.kill('SIGKILL')
  await closed
  return Number(output.trimEnd().split('\n').at(-1) ?? 0)
}

async function count(keys: AsyncIterable<unknown>): Promise<number> {
  let number = 0
  for await (const _ of keys) number++
  return number
}
