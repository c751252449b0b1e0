/** Measures `mien enrol` against a plain load generator on the same photos, and the memory of the command. */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { benchmark, existing, progress } from '../benchmark.ts'
import { clientOf, form } from '../harness/client.ts'
import { memoryOf } from '../harness/processes.ts'
import type { Service } from '../harness/service.ts'
import { newToken } from '../harness/tokens.ts'
import { picturesByPerson } from '../lib/faces/analysis.ts'
import { callers } from '../load.ts'
import { MIEN } from '../rig.ts'
import { evenly, fixed, mean, sum, timed } from '../statistics.ts'

/** Rounds of both, each with a part of the photos. */
const ROUNDS = 4

/** Photos that load networks and code before the measurement. */
const WARM_UP = 24

const MEMORY_EVERY_MS = 500

interface Run {
  seconds: number
  enrolled: number
  /** Megabytes over time. Empty when it was not measured. */
  memory: number[]
}

export default benchmark({
  description: 'enrolments a second of `mien enrol` beside a plain load generator, and its memory',
  options: {
    images: '../shared/data/lfw-dev',
    photos: 480,
    /** Callers of the load generator: more do not enrol faster on one edge worker. */
    callers: 6,
  },
  async run({ images, photos: count, callers: atOnce }, rig) {
    const folder = await existing(images)
    const all = (await picturesByPerson(folder)).flatMap(([, files]) => files)
    const photos = evenly(all, count).map(file => join(folder, file))
    const service = await rig.service()
    const lists = await rig.folder()
    await loadGenerator(service, 'warm-up', photos.slice(0, WARM_UP), atOnce)
    const [plain, command]: [Run[], Run[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      const part = photos.filter((_, i) => i % ROUNDS === round)
      const runs = [
        async () => plain.push(await loadGenerator(service, `plain-${round}`, part, atOnce)),
        async () => command.push(await enrolCommand(service, `command-${round}`, part, lists)),
      ]
      // The order alternates: a machine that becomes slower favours none.
      for (const measure of round % 2 === 0 ? runs : runs.toReversed()) await measure()
    }
    const memory = command.map(({ memory }) => ({
      secondQuarterMb: fixed(mean(memory.slice(memory.length / 4, memory.length / 2))),
      lastQuarterMb: fixed(mean(memory.slice(-memory.length / 4))),
      mostMb: fixed(Math.max(...memory)),
    }))
    return {
      ...{ photos: photos.length, callers: atOnce },
      ratio: fixed(rateOf(command) / rateOf(plain), 3),
      target: '>= 0.9',
      rates: { plain: rates(plain), command: rates(command) },
      memory,
    }
  },
})

/** A fixed number of callers, each of which sends the next photo after an answer. */
async function loadGenerator(
  { edge, data }: Service,
  owner: string,
  photos: readonly string[],
  atOnce: number,
): Promise<Run> {
  const send = clientOf(edge, newToken(data, owner))
  progress(`${owner}: ${photos.length} photos`)
  const left = [...photos]
  let enrolled = 0
  const post = async () => {
    const path = left.shift()!
    const photo = new Uint8Array(await readFile(path))
    const { status } = await send('POST', '/v0/face', form({ photo, meta: metaOf(path) }))
    if (status === 200) enrolled++
  }
  const ms = await timed(() => callers(atOnce, () => left.length === 0, post))
  return { seconds: ms / 1000, enrolled, memory: [] }
}

/** The command with a list of the photos, its start included. */
async function enrolCommand(
  { edge, data }: Service,
  owner: string,
  photos: readonly string[],
  folder: string,
): Promise<Run> {
  const list = join(folder, `${owner}.jsonl`)
  await writeFile(list, photos.map(file => JSON.stringify({ file, meta: metaOf(file) })).join('\n'))
  const env = { ...process.env, MIEN_URL: edge, MIEN_TOKEN: newToken(data, owner) }
  progress(`${owner}: ${photos.length} photos`)
  const began = performance.now()
  const args = [MIEN, 'enrol', list, '--json']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const memory: number[] = []
  const sampled = setInterval(async () => {
    const megabytes = await memoryOf(child.pid!, 'VmRSS').catch(() => Number.NaN)
    if (!Number.isNaN(megabytes)) memory.push(megabytes)
  }, MEMORY_EVERY_MS)
  let printed = ''
  for await (const chunk of child.stdout) printed += chunk
  clearInterval(sampled)
  const seconds = (performance.now() - began) / 1000
  return { seconds, enrolled: JSON.parse(printed).outcomes.enrolled, memory }
}

/** The person on a photo: the name of its folder. */
const metaOf = (path: string): string => basename(dirname(path))

const rateOf = (runs: readonly Run[]): number =>
  sum(runs.map(({ enrolled }) => enrolled)) / sum(runs.map(({ seconds }) => seconds))

const rates = (runs: readonly Run[]) => ({
  enrolled: sum(runs.map(({ enrolled }) => enrolled)),
  perSecond: fixed(rateOf(runs), 2),
  ofEachRound: runs.map(run => fixed(rateOf([run]), 2)),
})
