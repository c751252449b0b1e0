/** Kills each part of a site with a camera, again and again: no acknowledged event is lost, and none comes under two ids. */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixed, median, type Outcome, progress, table } from '../benchmark.ts'
import { hasFfmpeg } from '../harness/clips.ts'
import { hasMosquitto } from '../harness/mosquitto.ts'
import { FAULTS } from '../lib/cameras/faults.ts'
import { openLedger } from '../lib/cameras/ledger.ts'
import { type Site, startSite } from '../lib/cameras/site.ts'

export const description =
  'kills of stream, ffmpeg, watcher, core, broker and receiver: events lost or under two ids'

export const options = { rounds: { type: 'string' }, faults: { type: 'string' } } as const

const ROUNDS = 20

/** Sites that run beside one another. They share the faults: those of streams take long, because the watcher waits longer each time. */
const SITES = 2

/** Longest random wait before a fault in milliseconds: about the period of the clip. Faults meet each state of a visit. */
const SPREAD_MS = 6_000

/** How long a round may take to its next event, and messages at the end, in milliseconds. */
const PATIENCE_MS = 300_000

const POLL_MS = 100

export async function run(values: { rounds?: string; faults?: string }): Promise<Outcome> {
  if (!hasFfmpeg || !hasMosquitto)
    return { table: 'skipped: there is no ffmpeg or no mosquitto', result: { skipped: true } }
  const rounds = Number(values.rounds ?? ROUNDS)
  const names = values.faults?.split(',') ?? Object.keys(FAULTS)
  const shares = [...Map.groupBy(names, name => names.indexOf(name) % SITES).values()]
  // Each site stops its processes, also when another one fails.
  const ended = await Promise.allSettled(shares.map(share => faultsOf(share, rounds)))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return outcome(ended.flatMap(one => (one.status === 'fulfilled' ? [one.value] : [])))
}

/** Starts a site, and kills these parts of it. */
async function faultsOf(names: readonly string[], rounds: number) {
  const folder = await mkdtemp(join(tmpdir(), 'mien-camera-faults-'))
  const ledger = openLedger()
  let fault = 'none'
  const site = await startSite(folder, ledger, () => fault)
  try {
    await until(() => ledger.hasArrivedSince(0))
    const gaps = new Map<string, number[]>()
    for (const name of names) {
      fault = name
      const those: number[] = []
      for (let round = 0; round < rounds; round++) those.push(await gapOf(name, site, ledger.hasArrivedSince))
      gaps.set(name, those)
      progress(`${name}: ${rounds} rounds, load average ${fixed(loadavg()[0]!)}`)
    }
    fault = 'none'
    await until(() => ledger.missing() === 0).catch(() => progress(`${ledger.missing()} events are missing`))
    const stored = await site.stored()
    const ids = new Set(stored.map(({ id }) => id))
    const rows = [...gaps].map(([name, those]) => ({
      ...{ fault: name, rounds, ...ledger.counts(name, ids) },
      ...{ medianGap: fixed(median(those) / 1_000), longestGap: fixed(Math.max(...those) / 1_000) },
    }))
    const storedTwice = stored.length - new Set(stored.map(({ track }) => track)).size
    return { rows, storedTwice, unsigned: site.receiver.unsigned() }
  } finally {
    await site.close()
    await rm(folder, { recursive: true })
  }
}

/** Milliseconds from the fault to the arrival of a later event everywhere. */
async function gapOf(name: string, site: Site, hasArrivedSince: (time: number) => boolean): Promise<number> {
  await sleep(Math.random() * SPREAD_MS)
  const start = Date.now()
  const repaired = FAULTS[name]!(site)
  await until(() => hasArrivedSince(start)).catch(cause => {
    throw new Error(`After a kill of ${name}:`, { cause })
  })
  const gap = Date.now() - start
  await repaired
  return gap
}

async function until(isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !isTrue(); await sleep(POLL_MS))
    if (Date.now() > end) throw new Error('No event has arrived in time.')
}

function outcome(sites: readonly Awaited<ReturnType<typeof faultsOf>>[]): Outcome {
  const faults = sites.flatMap(({ rows }) => rows)
  const sum = (of: 'storedTwice' | 'unsigned') => sites.reduce((total, site) => total + site[of], 0)
  const all = { storedTwice: sum('storedTwice'), unsigned: sum('unsigned') }
  const passed =
    faults.every(({ lost, underTwoIds }) => lost + underTwoIds === 0) && all.storedTwice + all.unsigned === 0
  return {
    table: `${table([
      ['killed', 'rounds', 'events', 'lost', 'under two ids', 'repeated', 'median gap s', 'longest gap s'],
      ...faults.map(row => [
        ...[row.fault, row.rounds, row.events, row.lost, row.underTwoIds],
        ...[row.repeated, row.medianGap, row.longestGap],
      ]),
    ])}\nstored twice: ${all.storedTwice}, wrong signatures: ${all.unsigned}\n${
      passed ? 'passed: no acknowledged event is lost, and none has two ids' : 'FAILED'
    }`,
    result: { loadAverage: fixed(loadavg()[1]!), faults, ...all, passed },
  }
}
