/** Killed processes: acknowledged changes are kept, removed vectors stay removed, at random times and at each step of a build and a compaction. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { compactRows } from '#core/vector-store/rewrite-store.ts'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { temporaryPath } from '#test/unit/core/folder.ts'
import { knownEntries, waitForIndex } from '#test/unit/core/vector-store/known.ts'
import { servedIds } from '#test/unit/core/vector-store/served.ts'
import { snapshotsOf } from '../snapshots.ts'

const ROUNDS = Number(process.env.MIEN_KILL_ROUNDS ?? 2)

/** Ids that a child reported. */
class Account {
  readonly certain = new Set<number>()
  /** Ids of commands that began and may be done. */
  readonly open = new Set<number>()
  readonly damage: string[] = []

  hear(line: string) {
    const [word = '', ...ids] = line.split(' ')
    if (word.startsWith('damage')) this.damage.push(line)
    for (const id of word.endsWith('ed') || word.endsWith('ing') ? ids.map(Number) : []) {
      if (word.endsWith('ing')) this.open.add(id)
      else this.open.delete(id)
      if (word === 'added') this.certain.add(id)
      else this.certain.delete(id)
    }
  }

  expectKept(served: ReadonlySet<number>) {
    expect([...this.certain].filter(id => !served.has(id))).toEqual([])
    expect([...served].filter(id => !this.certain.has(id) && !this.open.has(id))).toEqual([])
    // The state of these ids is certain from now on.
    for (const id of this.open) if (served.has(id)) this.certain.add(id)
    this.open.clear()
  }
}

let folder = ''
let account = new Account()
beforeEach(async () => {
  folder = await temporaryPath('shard')
  account = new Account()
})

/** Opens the shard in this process and compares it with the acknowledged changes. */
async function expectWhole(at = folder) {
  const store = await openShard(at, { indexAbove: 300, onDamage: what => account.damage.push(what) })
  try {
    account.expectKept(await servedIds(store))
    expect(['none', 'ready']).toContain(await waitForIndex(store))
    account.expectKept(await servedIds(store))
    const { indexFile } = (await store.gallery('g')) ?? {}
    expect(readdirSync(join(at, 'index'))).toEqual(indexFile ? [indexFile] : [])
  } finally {
    await store.close()
  }
  // A crash may leave a part of a transaction that was not acknowledged.
  expect(account.damage.filter(what => !what.includes('ends within a transaction'))).toEqual([])
}

describe('a shard whose process is killed', { tags: 'long' }, () => {
  it(`has every acknowledged and no removed vector, ${ROUNDS} times at random`, {
    timeout: ROUNDS * 60_000,
  }, async () => {
    const log = `${folder}.log`
    const script = join(import.meta.dirname, 'shard', 'shard.child.ts')
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(log, '')
      const child = spawn(process.execPath, [script, folder, log], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout, 'data')
      await delay(Math.random() * 800)
      child.kill('SIGKILL')
      await once(child, 'exit')
      for (const line of readFileSync(log, 'utf8').split('\n')) account.hear(line)
      await expectWhole()
    }
  })

  it('is complete at each step of an index build that replaces an index', async () => {
    const steps = ['sealed', 'trained', 'written', 'committed', 'removed', 'arranged']
    const copies = await snapshotsOf(folder, steps)
    let isSecond = false
    const onStep = (step: string) => isSecond && copies.at(step)
    const store = await openShard(folder, { indexAbove: 1e9, onStep })
    await store.add(knownEntries(0, 1_000))
    await store.startIndex('g')
    await waitForIndex(store)
    await store.add(knownEntries(1_000, 100))
    await store.remove(knownEntries(0, 50))
    for (const { id } of knownEntries(50, 1_050)) account.certain.add(id)
    isSecond = true
    await store.startIndex('g')
    await waitForIndex(store)
    await store.close()
    for (const step of steps) await expectWhole(copies.of(step))
  })

  it('is complete at each step of a compaction', async () => {
    const store = await openShard(folder, { indexAbove: 1e9 })
    await store.add(knownEntries(0, 2_000))
    await store.remove(knownEntries(0, 2_000).filter(({ id }) => id % 4 === 0))
    await store.close()
    for (const { id } of knownEntries(0, 2_000)) if (id % 4 > 0) account.certain.add(id)
    const steps = ['copied', 'kept', 'renamed']
    const copies = await snapshotsOf(folder, steps)
    compactRows(join(folder, 'rows.db'), undefined, copies.at)
    for (const at of [...steps.map(copies.of), folder]) {
      compactRows(join(at, 'rows.db'))
      expect(existsSync(join(at, 'rows.db.new'))).toBe(false)
      await expectWhole(at)
    }
  })
})
