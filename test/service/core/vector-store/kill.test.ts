/**
 * Killed processes: acknowledged changes are kept, removed vectors stay removed. The process is
 * killed at random times and at each step of a build and a compaction.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { KILL_ROUNDS as ROUNDS, STEP_ROUNDS } from '#test/unit/core/kill-rounds.ts'
import { indexMade, knownEntry } from '#test/unit/core/vector-store/known.ts'
import { servedIds } from '#test/unit/core/vector-store/served.ts'

const ROUND_MS = 60_000

/** Ids that a child reported. */
class Account {
  readonly certain = new Set<number>()
  /** Ids of commands that began and may be done. */
  readonly open = new Set<number>()
  readonly damage: string[] = []

  hear(line: string): void {
    const [word = '', ...ids] = line.split(' ')
    if (word.startsWith('damage')) this.damage.push(line)
    for (const id of word.endsWith('ed') || word.endsWith('ing') ? ids.map(Number) : []) {
      if (word.endsWith('ing')) this.open.add(id)
      else this.open.delete(id)
      if (word === 'added') this.certain.add(id)
      else this.certain.delete(id)
    }
  }

  expectKept(served: ReadonlySet<number>): void {
    expect([...this.certain].filter(id => !served.has(id))).toEqual([])
    expect([...served].filter(id => !this.certain.has(id) && !this.open.has(id))).toEqual([])
    // The state of these ids is certain from now on.
    for (const id of this.open) if (served.has(id)) this.certain.add(id)
    this.open.clear()
  }
}

let folder = ''
let log = ''
let account = new Account()
beforeEach(async () => {
  const around = await temporaryFolder()
  folder = join(around, 'shard')
  log = join(around, 'log')
  account = new Account()
})

function start(...given: string[]): { child: ChildProcess; ready: Promise<unknown>; ended: Promise<void> } {
  const script = join(import.meta.dirname, 'shard', 'shard.child.ts')
  const child = spawn(process.execPath, [script, folder, log, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  writeFileSync(log, '')
  const ended = once(child, 'exit').then(() => {
    for (const line of readFileSync(log, 'utf8').split('\n')) account.hear(line)
  })
  return { child, ready: once(child.stdout!, 'data'), ended }
}

/** Opens the shard in this process and compares it with the acknowledged changes. */
async function expectWhole(): Promise<void> {
  const store = await openShard(folder, { indexAbove: 300, onDamage: what => account.damage.push(what) })
  try {
    account.expectKept(await servedIds(store))
    expect(['none', 'ready']).toContain(await indexMade(store))
    account.expectKept(await servedIds(store))
    const { indexFile } = (await store.gallery('g')) ?? {}
    expect(readdirSync(join(folder, 'index'))).toEqual(indexFile ? [indexFile] : [])
  } finally {
    await store.close()
  }
  // A crash may leave a part of a transaction that was not acknowledged.
  expect(account.damage.filter(what => !what.includes('ends within a transaction'))).toEqual([])
}

describe('a shard whose process is killed', { tags: 'long' }, () => {
  it(
    `has every acknowledged and no removed vector, ${ROUNDS} times at random`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { child, ready, ended } = start('load')
        await ready
        await delay(Math.random() * 800)
        child.kill('SIGKILL')
        await ended
        await expectWhole()
      }
    },
    ROUNDS * ROUND_MS,
  )

  it.each(['sealed', 'trained', 'written', 'renamed', 'committed', 'arranged', 'removed'])(
    'is complete when it dies at the step "%s" of an index build',
    async step => {
      for (let round = 0; round < STEP_ROUNDS; round++) {
        const { ended } = start('index', step)
        await ended
        expect(account.certain.size).toBeGreaterThan(0)
        await expectWhole()
      }
    },
    STEP_ROUNDS * ROUND_MS,
  )

  it.each(['copied', 'kept', 'renamed'])(
    'is complete when it dies at the step "%s" of a compaction',
    async step => {
      await fill(2_000)
      for (let round = 0; round < STEP_ROUNDS; round++) {
        await start('compact', step).ended
        await expectWhole()
      }
      await start('compact').ended
      expect(existsSync(join(folder, 'rows.db.new'))).toBe(false)
      await expectWhole()
    },
    STEP_ROUNDS * ROUND_MS,
  )

  it(
    'is complete when it dies at a random time of a compaction',
    async () => {
      await fill(4_000)
      for (let round = 0; round < STEP_ROUNDS; round++) {
        const { child, ready, ended } = start('compact')
        await ready
        await delay(Math.random() * 150)
        child.kill('SIGKILL')
        await ended
        await expectWhole()
      }
    },
    STEP_ROUNDS * ROUND_MS,
  )
})

async function fill(count: number): Promise<void> {
  const store = await openShard(folder, { indexAbove: 1e9 })
  const entries = Array.from({ length: count }, (_, id) => knownEntry(id))
  await store.add(entries)
  await store.remove(entries.filter(({ id }) => id % 4 === 0))
  await store.close()
  for (const { id } of entries) if (id % 4 > 0) account.certain.add(id)
}
