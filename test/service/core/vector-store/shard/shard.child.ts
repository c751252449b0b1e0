/**
 * A process that works in a shard until it is killed: `node shard.child.ts FOLDER LOG`. It logs each addition and removal
 * before it asks for it, and again after the acknowledgement.
 */

import { appendFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { openShard } from '#core/vector-store/shard/shard.ts'
import { times } from '#test/support/times.ts'
import { knownEntry } from '#test/unit/core/vector-store/known.ts'

// A killed process keeps no compiled sources otherwise.
flushCompileCache()

const [, , folder = '', log = ''] = process.argv

/** Writes to a file, which keeps everything when the process dies; a pipe may not. */
const say = (word: string, ids: readonly number[]) => appendFileSync(log, `${word} ${ids.join(' ')}\n`)

const store = await openShard(folder, { indexAbove: 300, onDamage: what => say(`damage: ${what}`, []) })
const ids: number[] = []
for await (const { id } of store.keys()) ids.push(id)
let next = Math.max(0, ...ids) + 1
process.stdout.write('ready\n')

const some = (most: number) => 1 + Math.floor(Math.random() * most)

async function addSome(count: number) {
  const added = times(count, () => next++)
  say('adding', added)
  await store.add(added.map(knownEntry))
  ids.push(...added)
  say('added', added)
}

async function removeSome(count: number) {
  const removed = times(Math.min(count, ids.length), () => {
    const [id] = ids.splice(Math.floor(Math.random() * ids.length), 1)
    return id!
  })
  say('removing', removed)
  await store.remove(removed.map(id => ({ gallery: 'g', id })))
  say('removed', removed)
}

async function caller(): Promise<never> {
  for (;;) {
    const choice = Math.random()
    if (choice < 0.6) await addSome(some(20))
    else if (choice < 0.8) await removeSome(some(10))
    else if (choice < 0.98)
      await store.search('g', knownEntry(some(next)).vector, { limit: 20, minScore: -1 })
    else await store.startIndex('g')
    if (Math.random() < 0.3) await delay(1)
  }
}

await Promise.all(times(8, caller))
