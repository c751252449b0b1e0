/** Kills each part of a site with a camera, again and again: no acknowledged event is lost, and none comes under two ids. */
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchmark, need, progress } from '../benchmark.ts'
import { hasFfmpeg } from '../harness/clips.ts'
import { hasMosquitto } from '../harness/mosquitto.ts'
import { openLedger } from '../lib/cameras/ledger.ts'
import { FAULTS, type Site, startSite } from '../lib/cameras/site.ts'
import { until } from '../lib/cameras/watching.ts'
import { type Rig, withRig } from '../rig.ts'
import { fixed, median, sum } from '../statistics.ts'

/** Sites that run beside one another. They share the faults: those of streams take long, because the watcher waits longer each time. */
const SITES = 2

/** Longest random wait before a fault in milliseconds: about the period of the clip. Faults meet each state of a visit. */
const SPREAD_MS = 6_000

/** How long a round may take to its next event, and messages at the end, in milliseconds. */
const PATIENCE_MS = 300_000

export default benchmark({
  description: 'kills of stream, ffmpeg, watcher, core, broker and receiver: events lost or under two ids',
  options: { rounds: 20, faults: Object.keys(FAULTS).join() },
  async run({ rounds, faults }) {
    need(hasFfmpeg && hasMosquitto, 'ffmpeg and mosquitto')
    const names = faults.split(',')
    const shares = [...Map.groupBy(names, name => names.indexOf(name) % SITES).values()]
    // Each site stops its processes, also when another one fails.
    const ended = await Promise.allSettled(shares.map(share => withRig(rig => faultsOf(share, rounds, rig))))
    const sites = ended.map(one => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    })
    const rows = sites.flatMap(site => site.rows)
    const storedTwice = sum(sites.map(site => site.storedTwice))
    const unsigned = sum(sites.map(site => site.unsigned))
    const wrong = sum(rows.map(({ lost, underTwoIds }) => lost + underTwoIds)) + storedTwice + unsigned
    return { faults: rows, storedTwice, unsigned, passed: wrong === 0, loadAverage: fixed(loadavg()[1]!) }
  },
})

/** Starts a site, and kills these parts of it. */
async function faultsOf(names: readonly string[], rounds: number, rig: Rig) {
  const ledger = openLedger()
  let fault = 'none'
  const site = await startSite(rig, ledger, () => fault)
  await until(() => ledger.hasArrivedSince(0), PATIENCE_MS, 'No event has arrived')
  const gaps = new Map<string, number[]>()
  for (const name of names) {
    fault = name
    const own: number[] = []
    for (let round = 0; round < rounds; round++) own.push(await gapOf(name, site, ledger.hasArrivedSince))
    gaps.set(name, own)
    progress(`${name}: ${rounds} rounds, load average ${fixed(loadavg()[0]!)}`)
  }
  fault = 'none'
  await until(() => ledger.missing() === 0, PATIENCE_MS, 'Events are missing').catch(({ message }) =>
    progress(message),
  )
  const stored = await site.stored()
  const ids = new Set(stored.map(({ id }) => id))
  return {
    rows: [...gaps].map(([name, own]) => ({
      ...{ killed: name, rounds, ...ledger.counts(name, ids) },
      ...{ medianGap: fixed(median(own) / 1_000), longestGap: fixed(Math.max(...own) / 1_000) },
    })),
    storedTwice: stored.length - new Set(stored.map(({ detector_info }) => detector_info.track)).size,
    unsigned: site.receiver.unsigned(),
  }
}

/** Milliseconds from the fault to the arrival of a later event everywhere. */
async function gapOf(name: string, site: Site, hasArrivedSince: (time: number) => boolean): Promise<number> {
  await sleep(Math.random() * SPREAD_MS)
  const start = Date.now()
  const repaired = FAULTS[name]!(site)
  await until(() => hasArrivedSince(start), PATIENCE_MS, `After a kill of ${name}, no event has arrived`)
  const gap = Date.now() - start
  await repaired
  return gap
}
