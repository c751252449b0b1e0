/** Measures enrolments without networks: with metadata in the data folder, and on a libSQL server. */
import type { DatabaseAddress } from '#core/metadata/connection/address.ts'
import { benchmark } from '../benchmark.ts'
import { startDatabaseServer } from '../harness/database-server.ts'
import { enrolOne, openServices } from '../lib/enrolling.ts'
import { callers } from '../load.ts'
import type { Rig } from '../rig.ts'
import { cpuTimed, fixed, timed, timesOf } from '../statistics.ts'

const CALLERS = 16
const WARM_UP = 20

export default benchmark({
  description: 'enrolments without networks: metadata in the data folder, and on a libSQL server',
  options: { count: 200 },
  async run({ count }, rig) {
    const server = await startDatabaseServer()
    rig.defer(server.remove)
    return {
      metadata: {
        inFolder: await costOf(count, rig),
        atServer: await costOf(count, rig, { url: server.url }),
      },
    }
  },
})

/** Times of enrolments alone; enrolments per second of all callers together, and CPU milliseconds of this process for each. */
async function costOf(count: number, rig: Rig, database?: DatabaseAddress) {
  const services = await openServices(rig, database)
  for (let i = 0; i < WARM_UP; i++) await enrolOne(services)
  const alone: number[] = []
  for (let i = 0; i < count; i++) alone.push(await timed(() => enrolOne(services)))
  let left = count
  let cpuMs = 0
  const ms = await timed(async () => {
    cpuMs = await cpuTimed(() =>
      callers(
        CALLERS,
        () => left-- <= 0,
        () => enrolOne(services),
      ),
    )
  })
  return {
    ...timesOf(alone, 2),
    [`perSecondOf${CALLERS}Callers`]: fixed((1000 * count) / ms),
    cpuMsEach: fixed(cpuMs / count, 2),
  }
}
