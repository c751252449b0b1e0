/** Verifies and identifies labelled pairs of photos through the running service. */
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { THRESHOLDS, type ThresholdName } from '#contract/model/face.ts'
import { benchmark, existing, fromCaller } from '../benchmark.ts'
import { type Field, form, type Send } from '../harness/client.ts'

const NAMES = ['strict', 'medium', 'low'] as const

/** Paths of two pictures, and whether they show one person. */
interface Pair {
  first: string
  second: string
  same: boolean
}

/** The result of one operation for one pair. */
type Scored = Pair & { confidence: number }

export default benchmark({
  description: 'confusion tables of verify and identify on labelled pairs of photos',
  options: {
    images: '../shared/data/photos/pairs',
    /** Lines `a,b,yes|no` with file names in the folder. Default: master.csv of the images. */
    pairs: '',
    limit: 0,
  },
  async run({ images, pairs: list, limit }, rig) {
    const folder = fromCaller(images)
    const file = await readFile(await existing(list || join(folder, 'master.csv')), 'utf8')
    const pairs = pairsIn(file, folder).slice(0, limit || undefined)
    const { send } = await rig.service()
    const scored = { verify: await verifyAll(send, pairs), identify: await identifyAll(send, pairs) }
    const confusion = NAMES.flatMap(name =>
      Object.entries(scored).map(([operation, own]) => ({
        operation,
        threshold: name,
        ...confused(own, name),
      })),
    )
    return { pairs: pairs.length, confusion }
  },
})

/** The pairs of a table, with or without a heading. Throws at another line that is no pair. */
function pairsIn(table: string, folder: string): Pair[] {
  return table
    .trim()
    .split(/\r?\n/)
    .flatMap((line, i) => {
      const [, first, second, word] =
        /^([^,]+),([^,]+),(yes|no)$/i.exec(line.replaceAll(/\s*,\s*/g, ',')) ?? []
      if (first && second)
        return { first: join(folder, first), second: join(folder, second), same: /yes/i.test(word!) }
      if (i > 0) throw new Error(`Line ${i + 1} of the pairs is not "a,b,yes" or "a,b,no": ${line}`)
      return []
    })
}

async function verifyAll(send: Send, pairs: readonly Pair[]): Promise<Scored[]> {
  const scored: Scored[] = []
  for (const pair of pairs) {
    const fields = { photo1: await photo(pair.first), photo2: await photo(pair.second), threshold: 'none' }
    const { results } = await post(send, '/v0/verify', fields)
    scored.push({ ...pair, confidence: results[0].confidence })
  }
  return scored
}

/** Searches each first photo among all second photos. A person who is not found has confidence 0. */
async function identifyAll(send: Send, pairs: readonly Pair[]): Promise<Scored[]> {
  for (const path of new Set(pairs.map(pair => pair.second)))
    await post(send, '/v0/face', { photo: await photo(path), meta: path })
  const found = new Map<string, Map<string, number>>()
  for (const path of new Set(pairs.map(pair => pair.first))) {
    const { results } = await post(send, '/v0/identify', {
      photo: await photo(path),
      threshold: 'none',
      n: '1000',
    })
    const matches = Object.values<{ confidence: number; face: { meta: string } }[]>(results).flat()
    found.set(path, new Map(matches.map(({ confidence, face }) => [face.meta, confidence])))
  }
  return pairs.map(pair => ({ ...pair, confidence: found.get(pair.first)?.get(pair.second) ?? 0 }))
}

function confused(scored: readonly Scored[], name: ThresholdName) {
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

async function post(send: Send, path: string, fields: Record<string, Field>) {
  const { status, body } = await send('POST', path, form(fields))
  if (status >= 300) throw new Error(`The service answered ${status}: ${JSON.stringify(body)}`)
  return body
}
