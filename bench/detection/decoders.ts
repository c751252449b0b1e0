/** Fuzzes the decoders with damaged files. A file that causes new behaviour is damaged again. */
import { writeFile } from 'node:fs/promises'
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
import { benchmark } from '../benchmark.ts'
import { type Bytes, damages, FORGED, WHOLE } from '../harness/broken-photos.ts'

/** Milliseconds without a finished file that count as a hang: the budget of one decode is 1 s. */
const HANG_MS = 10_000

/** Damages made at a time. */
const BATCH = 200

/** Greatest number of files in the corpus. */
const CORPUS = 2000

const SCALES = [1, 0.7, 0.5, 0.3, 0.125]

/** `sandboxed`: traps and exits of a decoder, after which the photo is refused. `behaviours`: places in decoders that were seen. */
const NOTHING = {
  files: 0,
  photos: 0,
  refused: 0,
  tooExpensive: 0,
  sandboxed: 0,
  behaviours: 0,
  heapMb: 0,
  rssMb: 0,
}

interface Work {
  seed: number
  until: number
  /** The file at work: a hang cannot report it. */
  work: Uint8Array
  /** Its length, and the number of files so far. */
  length: Uint32Array
}

interface Report {
  tally: typeof NOTHING
  failure?: { reason: string; file: Uint8Array }
  end?: boolean
}

export default benchmark({
  description: 'fuzzes the decoders: crashes outside the sandbox, hangs, memory beyond the limit',
  options: { minutes: 20, seed: Date.now() % 2 ** 31 },
  async run({ minutes, seed }) {
    const until = Date.now() + minutes * 60_000
    const { tally, failure } = await attackIn(seed, until)
    if (!failure) return { seed, failure: 'none', ...tally }
    const path = join(tmpdir(), `mien-decoders-${seed}.bin`)
    await writeFile(path, failure.file)
    return { seed, failure: `${failure.reason}: ${path}`, ...tally }
  },
})

/** Fuzzes in a thread, which a hang cannot keep alive. Resolves at the end or with the first failure. */
function attackIn(seed: number, until: number): Promise<Report> {
  const work = new Uint8Array(new SharedArrayBuffer(2 ** 22))
  const length = new Uint32Array(new SharedArrayBuffer(8))
  const given: Work = { seed, until, work, length }
  const worker = new Worker(import.meta.filename, { workerData: given })
  return new Promise((resolve, reject) => {
    let tally = NOTHING
    let seen = -1
    const watch = setInterval(() => {
      if (length[1] === seen) finish({ tally, failure: { reason: 'hang', file: work.slice(0, length[0]) } })
      else seen = length[1]!
    }, HANG_MS)
    const finish = (report: Report) => {
      clearInterval(watch)
      void worker.terminate().then(() => resolve(report))
    }
    worker.on('error', reject)
    worker.on('message', (report: Report) => {
      tally = report.tally
      if (report.end || report.failure) finish(report)
    })
  })
}

/** Decodes damaged files until the time is over. A file with a new behaviour joins the corpus. */
async function attack({ seed, until, work, length }: Work): Promise<void> {
  const codecs = loadCodecs()
  const corpus: Bytes[] = Object.values(FORGED)
  const behaviours = new Set<string>()
  const tally = { ...NOTHING }
  const post = (more: Omit<Report, 'tally'>) => parentPort?.postMessage({ tally, ...more })

  /** What the decoder did, as far as it shows; undefined when the header was refused. */
  const outcomeOf = async (file: Bytes, scale: number): Promise<string | undefined> => {
    try {
      const header = readHeader(file)
      const photo = await decode(file, header, codecs, { ...DECODE_LIMITS, scale })
      const { data, width, height } = photo.raster
      const heap = header.format === 'jpeg' ? data.buffer.byteLength : 0
      tally.heapMb = Math.max(tally.heapMb, heap / 2 ** 20)
      if (data.length !== width * height * 3) throw new Error('a raster of another size')
      if (heap > DECODE_LIMITS.maxBytes) throw new Error('more memory than the limit')
      photo.release()
      tally.photos++
      return `${header.format} ${width > 500} ${Math.round(Math.log2(1 + (data[0]! ^ data.at(-1)!)))}`
    } catch (error) {
      if (error instanceof ExceedsDecodeLimits) tally.tooExpensive++
      else if (error instanceof ServiceError && error.code === 'BAD_IMAGE') tally.refused++
      else throw error
      if (isDecoderCrash(error)) tally.sandboxed++
      // The stack names the place in the decoder.
      return error.cause instanceof Error ? error.cause.stack : undefined
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
      length[1] = ++tally.files
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
