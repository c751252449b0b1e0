/** Measures single warm requests for detect, face and identify, their stages, and face-api on TFJS. */
import sharp from 'sharp'
import { DLIB_NAME, DLIB_PACK } from '#models/packs.ts'
import { fixed, median, minimum, type Outcome, table } from '../benchmark.ts'
import { clientOf, form, sample } from '../harness/client.ts'
import { startService } from '../harness/service.ts'
import { openFaceApi } from '../lib/peers/face-api.ts'
import { openStages, type Stages, type StageTimes } from '../lib/peers/stages.ts'

export const description =
  'milliseconds per request on a portrait and photos of four people, compared with the pack dlib and face-api on TFJS WASM'

export const options = { runs: { type: 'string' } } as const

/** From face-api's demo: a portrait of one person, and four people at two sizes. */
const PHOTOS = {
  '1 Mpx portrait': async () =>
    sharp(await sample(1))
      .extract({ left: 1266, top: 43, width: 600, height: 600 })
      .resize(1000, 1000),
  '1 Mpx': async () => sharp(await sample(6)).resize(1118, 895),
  '12 Mpx': async () => sharp(await sample(6)).resize(3873, 3100),
} as const

/** Targets: maximum time of a whole detect over HTTP, as a fraction of another detector's time on the same photo. */
const TARGETS = [
  { photo: '1 Mpx portrait', peer: 'face-api tiny, detector alone', part: 1 / 3 },
  { photo: '12 Mpx', peer: 'face-api SSD, detector alone', part: 1 / 3 },
]

/** Targets relative to the pack dlib: time of the embedder, and of identify on a portrait. */
const EMBED_TARGET = 0.75
const IDENTIFY_TARGET = 0.85

const DLIB_IDENTIFY = 'identify, pack dlib'
const RUNS = 15
const WARM_UP = 8

type Photo = Uint8Array<ArrayBuffer>

/** A measured operation: its name, and a function that runs it once and returns its time. */
interface Measured {
  name: string
  once(photo: Photo): Promise<number>
}

export async function run(values: { runs?: string }): Promise<Outcome> {
  const runs = Number(values.runs ?? RUNS)
  const service = await startService()
  const dlib = await startService({ env: { MIEN_PACK: DLIB_NAME } })
  const stages = await openStages()
  const dlibStages = await openStages(DLIB_PACK)
  try {
    const measured = [
      ...requests(clientOf(service.edge, service.token)),
      ...requests(clientOf(dlib.edge, dlib.token))
        .filter(({ name }) => name === 'identify')
        .map(({ once }) => ({ name: DLIB_IDENTIFY, once })),
      ...(await peers()),
    ]
    const result: Record<string, unknown> = {}
    const tables: string[] = []
    for (const [name, picture] of Object.entries(PHOTOS)) {
      const photo: Photo = new Uint8Array(await (await picture()).jpeg({ quality: 90 }).toBuffer())
      const times = await interleaved(measured, photo, runs)
      const [shares, dlibShares] = await stageMinima(photo, runs, [stages, dlibStages])
      const besideDlib = {
        embed: fixed(shares!.embed! / dlibShares!.embed!, 2),
        identify: fixed(minimum(times.identify!) / minimum(times[DLIB_IDENTIFY]!), 2),
      }
      tables.push(
        `${name} JPEG\n\n${timesTable(times)}\n\n${sharesTable(shares!)}${targets(name, times)}\n\n` +
          `the pack standard / the pack dlib: embed ${besideDlib.embed} (target ${EMBED_TARGET}), identify ${besideDlib.identify} (of the portrait, target ${IDENTIFY_TARGET})`,
      )
      result[name] = { ...summary(times), stages: shares, besideDlib }
    }
    return { table: tables.join('\n\n\n'), result }
  } finally {
    await stages.close()
    await dlibStages.close()
    for (const one of [service, dlib]) {
      await one.stop()
      await one.remove()
    }
  }
}

function requests(api: ReturnType<typeof clientOf>): Measured[] {
  const timed = (name: string, path: string): Measured => ({
    name,
    async once(photo) {
      const body = form({ photo })
      const began = performance.now()
      const { status } = await api('POST', path, body)
      if (status !== 200) throw new Error(`${path} answered ${status}`)
      return performance.now() - began
    },
  })
  return [timed('detect', '/v0/detect'), timed('face', '/v0/face'), timed('identify', '/v0/identify')]
}

async function peers(): Promise<Measured[]> {
  const peer = await openFaceApi('ssd')
  const tiny = await openFaceApi('tiny')
  return [
    { name: 'face-api tiny, detector alone', once: async photo => (await tiny.detect(photo)).detectMs },
    { name: 'face-api SSD, detector alone', once: async photo => (await peer.detect(photo)).detectMs },
    {
      name: 'face-api SSD, with decoding',
      async once(photo) {
        const { decodeMs, detectMs } = await peer.detect(photo)
        return decodeMs + detectMs
      },
    },
  ]
}

/**
 * Runs each operation once without and once with measurement per round. Interleaving spreads changes of the machine's
 * load over all operations. The run without measurement refills the processor's caches, as in a warm service.
 */
async function interleaved(measured: readonly Measured[], photo: Photo, runs: number) {
  const times: Record<string, number[]> = {}
  for (let round = 0; round < WARM_UP + runs; round++) {
    for (const { name, once } of measured) {
      await once(photo)
      const took = await once(photo)
      times[name] ??= []
      if (round >= WARM_UP) times[name].push(took)
    }
  }
  return times
}

/** Minimum time of each stage and chain, interleaved. */
async function stageMinima(photo: Photo, runs: number, chains: readonly Stages[]) {
  const all = chains.map((): StageTimes[] => [])
  for (let round = 0; round < WARM_UP + runs; round++)
    for (const [i, chain] of chains.entries()) all[i]!.push(await chain.identify(photo))
  const stages = Object.keys(all[0]![0]!) as (keyof StageTimes)[]
  return all.map(times =>
    Object.fromEntries(
      stages.map(stage => [stage, fixed(minimum(times.slice(WARM_UP).map(one => one[stage])), 2)]),
    ),
  )
}

const ratioTo = (times: Record<string, number[]>, name: string): number =>
  fixed(minimum(times['face-api SSD, detector alone']!) / minimum(times[name]!), 1)

/** Compares the minima with the photo's targets. */
const targets = (photo: string, times: Record<string, number[]>): string =>
  TARGETS.filter(target => target.photo === photo)
    .map(({ peer, part }) => {
      const share = minimum(times.detect!) / minimum(times[peer]!)
      return `\n\ndetect / ${peer}: ${fixed(share, 2)}; the target is ${fixed(part, 2)}`
    })
    .join('')

function timesTable(times: Record<string, number[]>): string {
  const rows = Object.keys(times).map(name => [
    name,
    fixed(minimum(times[name]!)),
    fixed(median(times[name]!)),
    ratioTo(times, name),
  ])
  return table([['one request', 'minimum ms', 'median ms', 'SSD detector / this'], ...rows])
}

function sharesTable(shares: Record<string, number>): string {
  const total = Object.values(shares).reduce((sum, ms) => sum + ms, 0)
  const rows = Object.entries(shares).map(([stage, ms]) => [stage, ms, `${Math.round((100 * ms) / total)} %`])
  return table([['stage of identify', 'minimum ms', 'share'], ...rows])
}

const summary = (times: Record<string, number[]>) =>
  Object.fromEntries(
    Object.entries(times).map(([name, all]) => [
      name,
      {
        minimumMs: fixed(minimum(all)),
        medianMs: fixed(median(all)),
        timesFasterThanSsd: ratioTo(times, name),
      },
    ]),
  )
