/** Verifies and identifies labelled pairs of photos through the running service. */
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { THRESHOLDS, type ThresholdName } from '#contract/model/thresholds.ts'
import { exists, fromCaller, type Outcome, table } from '../benchmark.ts'
import { type Answered, clientOf, form, type Send } from '../harness/client.ts'
import { startService } from '../harness/service.ts'
import { type Pair, readPairs } from '../lib/faces/labelled-pairs.ts'

export const description = 'confusion tables of verify and identify on labelled pairs of photos'

export const options = {
  pairs: { type: 'string' },
  images: { type: 'string' },
  limit: { type: 'string' },
} as const

const NAMES = ['strict', 'medium', 'low'] as const

/** The result of one operation for one pair. */
type Scored = Pair & { confidence: number }

export async function run(values: { pairs?: string; images?: string; limit?: string }): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/photos/pairs')
  const list = values.pairs === undefined ? join(images, 'master.csv') : fromCaller(values.pairs)
  if (!(await exists(list))) return { table: `skipped: there is no ${list}`, result: { skipped: true } }
  const pairs = (await readPairs(list, images)).slice(
    0,
    values.limit === undefined ? undefined : Number(values.limit),
  )
  const service = await startService()
  try {
    const send = clientOf(service.edge, service.token)
    const verified = await verifyAll(send, pairs)
    const identified = await identifyAll(send, pairs)
    return outcome(pairs.length, verified, identified)
  } finally {
    await service.stop()
    await service.remove()
  }
}

async function verifyAll(send: Send, pairs: readonly Pair[]): Promise<Scored[]> {
  const scored: Scored[] = []
  for (const pair of pairs) {
    const [photo1, photo2] = await Promise.all([photo(pair.first), photo(pair.second)])
    const answer = good(await send('POST', '/v0/verify', form({ photo1, photo2, threshold: 'none' })))
    scored.push({ ...pair, confidence: answer.results[0].confidence })
  }
  return scored
}

/** Searches each first photo among all second photos. A person who is not found has confidence 0. */
async function identifyAll(send: Send, pairs: readonly Pair[]): Promise<Scored[]> {
  for (const path of new Set(pairs.map(pair => pair.second)))
    good(await send('POST', '/v0/face', form({ photo: await photo(path), meta: path })))
  const found = new Map<string, Map<string, number>>()
  for (const path of new Set(pairs.map(pair => pair.first))) {
    const sent = form({ photo: await photo(path), threshold: 'none', n: '1000' })
    const results: Record<string, { confidence: number; face: { meta: string } }[]> = good(
      await send('POST', '/v0/identify', sent),
    ).results
    const matches = Object.values(results).flat()
    found.set(path, new Map(matches.map(({ confidence, face }) => [face.meta, confidence])))
  }
  return pairs.map(pair => ({ ...pair, confidence: found.get(pair.first)?.get(pair.second) ?? 0 }))
}

function outcome(count: number, verified: Scored[], identified: Scored[]): Outcome {
  const rows = NAMES.flatMap(name => [
    { operation: 'verify', threshold: name, ...confusion(verified, name) },
    { operation: 'identify', threshold: name, ...confusion(identified, name) },
  ])
  const head = ['operation', 'threshold', 'same: yes', 'same: no', 'other: yes', 'other: no']
  const body = rows.map(row => [row.operation, row.threshold, row.hit, row.miss, row.falseMatch, row.reject])
  return {
    table: `${count} pairs of photos\n\n${table([head, ...body])}`,
    result: { pairs: count, confusion: rows },
  }
}

function confusion(scored: readonly Scored[], name: ThresholdName) {
  const count = (same: boolean, yes: boolean) =>
    scored.filter(pair => pair.same === same && pair.confidence >= THRESHOLDS[name] === yes).length
  return {
    hit: count(true, true),
    miss: count(true, false),
    falseMatch: count(false, true),
    reject: count(false, false),
  }
}

const photo = async (path: string) => ({ bytes: new Uint8Array(await readFile(path)), name: basename(path) })

function good({ status, body }: Answered) {
  if (status >= 300) throw new Error(`The service answered ${status}: ${JSON.stringify(body)}`)
  return body
}
