/** Fuzzes the decoders by the structure of files: what shows new behaviour is damaged again. */
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import * as fc from 'fast-check'
import { ServiceError } from '#contract/errors.ts'
import { DECODE_LIMITS } from '#edge/vision/photo-analyzer.ts'
import { ExceedsDecodeLimits } from '#wasm/decode/budget.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { decode } from '#wasm/decode/decode.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { isDecoderCrash } from '#wasm/decode/photo-file.ts'
import { benchmark, progress } from '../benchmark.ts'
import { type Bytes, damages, FORGED, WHOLE } from '../harness/broken-photos.ts'

/** Milliseconds without a finished decode that count as a hang: the budget of one decode is 1 s. */
const HANG_MS = 10_000

/** Damages made at a time. */
const BATCH = 200

/** Greatest number of behaviours whose files are kept. */
const CORPUS = 2000

/** Bytes that a JPEG decoder's memory may have beyond the limit of a decode. */
const SLACK = 2 ** 20

const SCALES = [1, 0.7, 0.5, 0.3, 0.125]

interface Tally {
  decodes: number
  photos: number
  refused: number
  tooExpensive: number
  /** Traps and exits inside the sandbox: the photo is refused, and the instance dropped. */
  sandboxed: number
  /** Files that showed a behaviour for the first time. */
  behaviours: number
  /** Megabytes: the greatest memory of a JPEG decoder, and resident memory of the process. */
  heapMb: number
  rssMb: number
}

interface Work {
  seed: number
  until: number
  /** The file at work: a hang cannot report it. */
  work: Uint8Array
  /** Its length, and the number of files before. */
  length: Uint32Array
}

/** A worker's report: what it has done so far, the file at work, or a failure. */
interface Report {
  tally: Tally
  failure?: { reason: string; file: Uint8Array }
}

export default benchmark({
  description: 'fuzzes the decoders: crashes outside the sandbox, hangs, memory beyond the price',
  options: { minutes: 20, seed: Date.now() % 2 ** 31 },
  async run({ minutes, seed }) {
    const folder = join(tmpdir(), 'mien-decoders')
    const until = Date.now() + minutes * 60_000
    const failures: string[] = []
    const tallies: Tally[] = []
    for (let round = 0; Date.now() < until; round++) {
      const { tally, failure } = await attackIn(seed + round, until)
      tallies.push(tally)
      if (!failure) break
      await mkdir(folder, { recursive: true })
      const path = join(folder, `${seed}-${round}.bin`)
      await writeFile(path, failure.file)
      failures.push(`${failure.reason}: ${path}`)
      progress(failures.at(-1)!)
    }
    return { seed, failures, runs: tallies }
  },
})

/** Fuzzes in a thread, which a hang cannot keep alive. Resolves at the end or with the first failure. */
function attackIn(seed: number, until: number): Promise<Report> {
  const work = new Uint8Array(new SharedArrayBuffer(2 ** 22))
  const length = new Uint32Array(new SharedArrayBuffer(8))
  const worker = new Worker(import.meta.filename, {
    workerData: { seed, until, work, length } satisfies Work,
  })
  return new Promise((resolve, reject) => {
    let last: Report | undefined
    let seen = -1
    const watch = setInterval(() => {
      const done = length[1]!
      if (done !== seen || last === undefined) seen = done
      else finish({ tally: last.tally, failure: { reason: 'hang', file: work.slice(0, length[0]) } })
    }, HANG_MS)
    const finish = (report: Report) => {
      clearInterval(watch)
      void worker.terminate().then(() => resolve(report))
    }
    worker.on('error', reject)
    worker.on('message', (report: Report & { end?: boolean }) => {
      last = report
      if (report.end || report.failure) finish(report)
    })
  })
}

/** Decodes damaged files until the time is over. A file with a new behaviour joins the corpus. */
async function attack({ seed, until, work, length }: Work): Promise<void> {
  const codecs = loadCodecs()
  const corpus: Bytes[] = Object.values(FORGED)
  const behaviours = new Set<string>()
  const tally: Tally = {
    ...{ decodes: 0, photos: 0, refused: 0, tooExpensive: 0, sandboxed: 0, behaviours: 0 },
    ...{ heapMb: 0, rssMb: 0 },
  }
  const post = (more: object) => parentPort?.postMessage({ tally, ...more })

  /** What the decoder did, as far as it shows; undefined when the header was refused. */
  const outcomeOf = async (file: Bytes, scale: number): Promise<string | undefined> => {
    try {
      const header = readHeader(file)
      const photo = await decode(file, header, codecs, { ...DECODE_LIMITS, scale })
      const { data, width, height } = photo.raster
      const heap = header.format === 'jpeg' ? data.buffer.byteLength : 0
      tally.heapMb = Math.max(tally.heapMb, heap / 2 ** 20)
      if (data.length !== width * height * 3) throw new Error('a raster of another size')
      if (heap > DECODE_LIMITS.maxBytes + SLACK) throw new Error('more memory than the limit')
      photo.release()
      tally.photos++
      return `${header.format} ${width > 500} ${Math.round(Math.log2(1 + (data[0]! ^ data.at(-1)!)))}`
    } catch (error) {
      if (error instanceof ExceedsDecodeLimits) tally.tooExpensive++
      else if (error instanceof ServiceError && error.code === 'BAD_IMAGE') tally.refused++
      else throw error
      if (isDecoderCrash(error)) tally.sandboxed++
      const { cause } = error as Error
      // The stack names the place in the decoder.
      return cause instanceof Error ? cause.stack : undefined
    }
  }

  for (let batch = 0; Date.now() < until; batch++) {
    for (const [i, damage] of fc.sample(damages, { numRuns: BATCH, seed: seed + batch }).entries()) {
      // Every second file is whole: damage upon damage ends at the header.
      const sources = i % 2 ? corpus : WHOLE
      const source = sources[(i * 7919 + batch * 104729) % sources.length]!
      const file = damage.reduce((bytes, change) => change(bytes), source)
      if (file.length > work.length) continue
      work.set(file)
      length[0] = file.length
      length[1] = ++tally.decodes
      try {
        const behaviour = await outcomeOf(file, SCALES[(i + batch) % SCALES.length]!)
        if (behaviour === undefined || behaviours.has(behaviour)) continue
        if (corpus.length < CORPUS) corpus.push(file)
        tally.behaviours = behaviours.add(behaviour).size
      } catch (error) {
        return post({ failure: { reason: String(error), file } })
      }
    }
    tally.rssMb = Math.max(tally.rssMb, process.memoryUsage.rss() / 2 ** 20)
    post({})
  }
  post({ end: true })
}

if (!isMainThread) await attack(workerData)
