/** The load of a cluster: callers of several owners, and what the service keeps of them. */
import { progress } from '../../benchmark.ts'
import { type Callers, startCallers } from './callers.ts'
import type { Cluster } from './cluster.ts'
import { distinct, people } from './people.ts'
import { type Kept, listed } from './verdict.ts'

/** Seconds per owner. Each owner begins without known persons, which causes many first posts. */
const OWNER_SECONDS = 20

export interface Owner {
  name: string
  token: string
}

/** Starts the callers. `seconds` is the length of the run. */
export async function loadOn(
  { doors, newToken }: Cluster,
  seconds: number,
  { callers, rate }: { callers: number; rate: number },
): Promise<{ callers: Callers; owners: Owner[] }> {
  const door = doors[0]!
  const first = newToken('first')
  const faces = await distinct(await people(door, first), door, first)
  progress(`  ${faces.length} people`)
  const owners = Array.from({ length: Math.ceil(seconds / OWNER_SECONDS) + 1 }, (_, i) => {
    const name = `owner${i}`
    return { name, token: newToken(name) }
  })
  const load = {
    doors,
    people: faces,
    owners,
    secondsEach: OWNER_SECONDS,
    callers,
    rate,
  }
  return { callers: startCallers(load), owners }
}

/** All faces by owner. */
export async function keptOf({ doors }: Cluster, owners: readonly Owner[]): Promise<Map<string, Kept[]>> {
  const kept = new Map<string, Kept[]>()
  for (const { name, token } of owners) kept.set(name, await listed(doors[0]!, token))
  return kept
}
