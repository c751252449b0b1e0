/** The line of those who write to a server, before a client that answers as one does that others are at. */
import { type Client, LibsqlError } from '@libsql/client'
import { expect, it } from 'vitest'
import { queuedWrites } from '../../../../../core/metadata/connection/write-queue.ts'

/** A client that is busy so often, and tells how many it was asked at once. */
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

it('lets writes in as they come, two at a time, and again when another had the database', async () => {
  const { client, order, most } = clientBusy(3)
  const names = Array.from({ length: 20 }, (_, i) => `insert ${i}`)
  await Promise.all(names.map(name => (name.endsWith('1') ? client.batch([name]) : client.execute(name))))
  expect(order.toSorted()).toEqual(names.toSorted())
  expect(most()).toBe(2)
})

it('keeps no reading waiting', async () => {
  const { client, most } = clientBusy(0)
  const readings = ['select 1', ' SELECT 1', 'PRAGMA foreign_keys', 'select 2']
  await Promise.all(readings.map(reading => client.execute(reading)))
  expect(most()).toBe(4)
})

it('tells of what is no matter of the moment at once', async () => {
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
