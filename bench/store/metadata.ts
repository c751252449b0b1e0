/** Measures enrolments without networks: with metadata in the data folder, and on a libSQL server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseAddress } from '#core/metadata/connection/address.ts'
import { ownerNamed } from '#core/metadata/queries/owners.ts'
import { enrol } from '#core/operations/enrol.ts'
import { openStores, type Services, servicesOf } from '#core/operations/services.ts'
import { fixed, median, minimum, type Outcome, table } from '../benchmark.ts'
import { startDatabaseServer } from '../harness/database-server.ts'
import { enrolment, faceOf, given, OWNER } from '../harness/sample-faces.ts'

export const description = 'enrolments without networks: metadata in the data folder, and on a libSQL server'

export const options = { count: { type: 'string' } } as const

const COUNT = 200
const CALLERS = 16
const WARM_UP = 20

interface Cost {
  least: number
  median: number
  /** Enrolments per second of all callers together. */
  perSecond: number
  /** CPU milliseconds of this process per enrolment. */
  cpu: number
}

export async function run({ count = String(COUNT) }: { count?: string }): Promise<Outcome> {
  const inFolder = await measured(Number(count))
  const server = await startDatabaseServer()
  const atServer = await measured(Number(count), { url: server.url }).finally(() => server.remove())
  const rows = Object.entries({ 'in the data folder': inFolder, 'at a server': atServer }).map(
    ([where, cost]) => [
      where,
      fixed(cost.least, 2),
      fixed(cost.median, 2),
      fixed(cost.perSecond),
      fixed(cost.cpu, 2),
    ],
  )
  const head = ['metadata', 'least ms', 'median ms', `a second, ${CALLERS} callers`, 'CPU ms each']
  return { table: table([head, ...rows]), result: { inFolder, atServer } }
}

async function measured(count: number, database?: DatabaseAddress): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), 'mien-bench-'))
  const stores = await openStores(folder, { database })
  try {
    const keep = { pictures: false, photoNames: true }
    const services = { ...servicesOf(stores, given), keep }
    await ownerNamed(services.database, { id: OWNER, name: 'bench', created: 0 })
    return await costOf(services, count)
  } finally {
    await stores.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function costOf(services: Services, count: number): Promise<Cost> {
  const face = faceOf(1, 2, 3)
  const one = () => enrol(services, enrolment(1), [face])
  for (let i = 0; i < WARM_UP; i++) await one()
  const alone: number[] = []
  for (let i = 0; i < count; i++) {
    const began = performance.now()
    await one()
    alone.push(performance.now() - began)
  }
  const [began, before] = [performance.now(), process.cpuUsage()]
  const each = Math.ceil(count / CALLERS)
  const caller = async () => {
    for (let i = 0; i < each; i++) await one()
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const { user, system } = process.cpuUsage(before)
  const done = each * CALLERS
  return {
    least: minimum(alone),
    median: median(alone),
    perSecond: (done * 1000) / (performance.now() - began),
    cpu: (user + system) / 1000 / done,
  }
}
