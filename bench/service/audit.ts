/** Measures the cost of the audit entry that is written before the response to a change. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownerNamed } from '#core/metadata/queries/owners.ts'
import { enrol } from '#core/operations/enrol.ts'
import { openStores, type Services, servicesOf } from '#core/operations/services.ts'
import { fixed, median, type Outcome, quantile, table } from '../benchmark.ts'
import { enrolment, faceOf, given, OWNER, TOKEN } from '../harness/sample-faces.ts'

export const description = 'cost of an audit log entry: alone, concurrent, and with an enrolment'

export const options = { count: { type: 'string' } } as const

const COUNT = 300
const AT_ONCE = 16

export async function run({ count = String(COUNT) }: { count?: string }): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'mien-bench-'))
  const stores = await openStores(folder)
  try {
    const services = servicesOf(stores, given)
    await ownerNamed(services.database, { id: OWNER, name: 'bench', created: 0 })
    const alone: number[] = []
    const together: number[] = []
    const bare: number[] = []
    const recorded: number[] = []
    // Interleaved: other load on the machine affects all of them equally.
    for (let i = 0; i < Number(count); i++) {
      alone.push(await timed(() => entry(services, i)))
      together.push(await timed(() => Promise.all(Array.from({ length: AT_ONCE }, () => entry(services, i)))))
      bare.push(await timed(() => enrolled(services)))
      recorded.push(await timed(() => enrolled(services).then(id => entry(services, id))))
    }
    const rows = Object.entries({
      'an entry': alone,
      [`${AT_ONCE} entries at once`]: together,
      'an enrolment without its network': bare,
      'the same, written down': recorded,
    }).map(([what, ms]) => [what, fixed(median(ms), 2), fixed(quantile(ms, 0.99), 2)])
    return {
      table: table([['', 'ms, median', 'ms, 99 %'], ...rows]),
      result: { rows: rows.map(([what, middle, most]) => ({ what, median: middle, p99: most })) },
    }
  } finally {
    await stores.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const entry = ({ record }: Services, face: number): Promise<void> =>
  record({ actor: `token ${TOKEN}`, owner: OWNER, action: 'enrol', subject: { faces: [face] } })

const enrolled = async (services: Services): Promise<number> =>
  (await enrol(services, enrolment(1), [faceOf(1, 2, 3)])).faces[0]!.id

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
