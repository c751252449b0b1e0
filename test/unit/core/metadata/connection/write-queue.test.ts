/** The queue of writes to a database server, before a client that reports SQLITE_BUSY. */

import { type Client, LibsqlError } from '@libsql/client'
import { queuedWrites } from '#core/metadata/connection/write-queue.ts'
import { times } from '#test/support/times.ts'

/** A client that is busy this many times, and records the greatest number of concurrent calls. */
function clientBusy(times: number) {
  let [running, most, left] = [0, 0, times]
  const order: string[] = []
  const ask = async (name: string) => {
    most = Math.max(most, ++running)
    await new Promise(resolve => setTimeout(resolve, 2))
    running--
    if (left-- > 0) throw new LibsqlError('database is locked', 'SQLITE_BUSY')
    order.push(name)
    return {} as never
  }
  const client = { execute: ask, batch: ([first]: string[]) => ask(first!) } as unknown as Client
  return { client: queuedWrites(client), order, most: () => most }
}

it('queuedWrites runs two writes at a time, and retries a write after SQLITE_BUSY', async () => {
  const { client, order, most } = clientBusy(3)
  const names = times(20, i => `insert ${i}`)
  await Promise.all(names.map(name => (name.endsWith('1') ? client.batch([name]) : client.execute(name))))
  expect(order.toSorted()).toEqual(names.toSorted())
  expect(most()).toBe(2)
})

it('queuedWrites runs all reads at once', async () => {
  const { client, most } = clientBusy(0)
  const readings = ['select 1', ' SELECT 1', 'PRAGMA foreign_keys', 'select 2']
  await Promise.all(readings.map(reading => client.execute(reading)))
  expect(most()).toBe(4)
})

it('queuedWrites rejects other errors without a retry', async () => {
  const refused = new LibsqlError('NOT NULL constraint failed', 'SQLITE_CONSTRAINT')
  let asked = 0
  const client = queuedWrites({
    async execute() {
      asked++
      throw refused
    },
    batch() {},
  } as unknown as Client)
  await expect(client.execute('insert')).rejects.toBe(refused)
  expect(asked).toBe(1)
})
