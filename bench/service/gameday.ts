/** A game day: a cluster under load meets each fault that can be caused on one machine, with one verdict for all. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '#contract/limits.ts'
import { fixed, type Outcome, progress, table } from '../benchmark.ts'
import { runFaults } from '../lib/cluster/faults.ts'
import { keptOf } from '../lib/cluster/load.ts'
import { canMakeNetwork } from '../lib/cluster/network.ts'
import { people } from '../lib/cluster/people.ts'
import { type GameCallers, startGameCallers } from '../lib/gameday/callers.ts'
import { type GameCluster, startGameCluster } from '../lib/gameday/faults.ts'
import { type FaultVerdict, gameTries, verdicts } from '../lib/gameday/verdict.ts'

export const description =
  'a game day: clocks, memory, files, disks, names, packets, a bucket and crowds fail under load'

export const options = {
  callers: { type: 'string' },
  rate: { type: 'string' },
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  only: { type: 'string' },
} as const

const CALLERS = 20
/** Requests per second: the load that two cores can serve while all hosts share the machine. */
const RATE = 4
/** Seconds from one fault to the next. The fault lasts half of them. */
const SECONDS = 40
const QUIET_SECONDS = 10
const OWNERS = ['anna', 'berta']

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  if (!canMakeNetwork()) return { table: 'skipped: it needs root and `ip`', result: { skipped: true } }
  const folder = await mkdtemp(join(tmpdir(), 'mien-gameday-'))
  const game = await startGameCluster(folder)
  try {
    return await play(game, values)
  } finally {
    await game.remove()
    await rm(folder, { recursive: true })
  }
}

async function play(
  { cluster, faults, skipped }: GameCluster,
  values: Record<string, string | boolean | undefined>,
): Promise<Outcome> {
  const secondsEach = Number(values.seconds ?? SECONDS)
  const owners = OWNERS.map(name => ({ name, token: cluster.newToken(name) }))
  const callers: GameCallers = startGameCallers({
    doors: cluster.doors,
    people: await people(cluster.doors[0]!, owners[0]!.token),
    owners,
    callers: Number(values.callers ?? CALLERS),
    rate: Number(values.rate ?? RATE),
  })
  const meant = new RegExp(String(values.only ?? ''))
  const chosen = faults(() => callers).filter(({ name }) => meant.test(name))
  const rounds = Array.from({ length: Number(values.rounds ?? 1) }, () => chosen)
  const pace = { secondsEach, lasting: secondsEach / 2 }
  await sleep(QUIET_SECONDS * 1000)
  const happened = await runFaults(rounds.flat(), pace, callers.now, name => progress(`  ${name}`))
  await callers.stop()
  const kept = new Map<string, number[]>()
  for (const { meta, id } of [...(await keptOf(cluster, owners)).values()].flat())
    kept.set(meta, [...(kept.get(meta) ?? []), id])
  const end = callers.now()
  return outcome(verdicts(happened, callers.ledger, kept, end), callers, skipped)
}

function outcome(faults: FaultVerdict[], { ledger }: GameCallers, skipped: GameCluster['skipped']): Outcome {
  const sum = (field: 'wrong' | 'foreign' | 'lost' | 'doubled') =>
    faults.reduce((total, fault) => total + fault[field], 0)
  const acknowledged = ledger.posts.filter(({ face }) => face).length
  const each = [
    ['fault', 'lost', 'twice', 'of another', 'wrong', 'longest, s', 'well after, s', 'answers'],
    ...faults.map(({ name, lost, doubled, foreign, wrong, longestSeconds, recoverySeconds, answers }) => [
      name,
      lost,
      doubled,
      foreign,
      wrong,
      fixed(longestSeconds),
      fixed(recoverySeconds),
      counted(answers),
    ]),
    ...skipped.map(({ name, why }) => [name, '', '', '', '', '', '', `skipped: ${why}`]),
  ]
  const longest = Math.max(0, ...faults.map(({ longestSeconds }) => longestSeconds))
  const rows = [
    ['in all', 'measured', 'target'],
    ['requests', gameTries(ledger).length, ''],
    ['enrolments, acknowledged', `${acknowledged} of ${ledger.posts.length}`, 'all'],
    ['acknowledged faces that were lost', sum('lost'), 0],
    ['faces that are there twice', sum('doubled'), 0],
    ['answers with data of another owner', sum('foreign'), 0],
    ['answers other than 200, and 503 or 429 with Retry-After', sum('wrong'), 0],
    ['longest request, s', fixed(longest), `<= ${LIMITS.coreAnswerMs / 1000}`],
  ]
  const rounded = faults.map(fault => ({
    ...fault,
    longestSeconds: fixed(fault.longestSeconds),
    recoverySeconds: fixed(fault.recoverySeconds),
  }))
  const result = { posts: ledger.posts.length, acknowledged, faults: rounded, skipped }
  return { table: `${table(each)}\n\n${table(rows)}`, result }
}

const counted = (answers: Record<string, number>): string =>
  Object.entries(answers)
    .map(([answer, count]) => `${count} x ${answer}`)
    .join(', ')
