/** Keeps the last seconds of a camera's stream in memory, as it comes, and cuts out the seconds around an event. */
import { environment } from '../../contract/environment.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'

/** Milliseconds of a clip before and after its event. A clip begins and ends at key frames. */
const CLIP_BEFORE_MS = 4_000
const CLIP_AFTER_MS = 4_000

/** Longest wait of a clip for its last key frame, and greatest delay of a request for a clip, in milliseconds. */
const CLIP_WAIT_MS = 10_000

/** Bytes of a clip (a little less than its fragments), and of all kept fragments. */
const CLIP_BYTES = PHOTO_LIMITS.bytes
const KEPT_BYTES = 2 * CLIP_BYTES

/** Times are in the clock of `environment.monotonic()`. */
interface Fragment {
  /** The boxes before the first fragment of its stream. */
  start: Uint8Array
  bytes: Uint8Array
  from: number
  to: number
}

/** A stream of MP4 in its parts. Empty if there is none. */
export type Parts = readonly Uint8Array[]

export type Recorder = ReturnType<typeof openRecorder>

export function openRecorder(now: () => number = () => environment.monotonic()) {
  let kept: Fragment[] = []
  const waiting = new Set<{ until: number; settle: () => void }>()

  const keep = (fragment: Fragment) => {
    const earliest = fragment.to - CLIP_BEFORE_MS - CLIP_AFTER_MS - 2 * CLIP_WAIT_MS
    kept = [...kept, fragment].filter(({ to }) => to >= earliest)
    for (let bytes = sizeOf(kept); bytes > KEPT_BYTES; bytes -= kept.shift()!.bytes.length);
    for (const one of waiting) if (fragment.to >= one.until) one.settle()
  }

  return {
    /** Takes the output of one ffmpeg. The returned function never throws: after other bytes it takes nothing more. */
    run(): (chunk: Uint8Array) => void {
      let start: Uint8Array = new Uint8Array()
      let head: Uint8Array | undefined
      let from = now()
      return boxReader((kind, box) => {
        if (kind === 'moof') head = box
        else if (kind === 'mdat' && head) {
          const to = now()
          keep({ start, bytes: Buffer.concat([head, box]), from, to })
          from = to
        } else if (!head) start = Buffer.concat([start, box])
      })
    },
    /** The seconds around a time. Resolves once they are over, or the stream has ended. */
    around: (time: number): Promise<Parts> =>
      new Promise(resolve => {
        const settle = () => {
          timer.cancel()
          waiting.delete(one)
          resolve(fragmentsAround(kept, time))
        }
        const one = { until: time + CLIP_AFTER_MS, settle }
        const timer = environment.timer(settle, Math.max(0, one.until - now()) + CLIP_WAIT_MS)
        waiting.add(one)
      }),
    /** The stream has ended. Another one may follow. */
    end() {
      for (const { settle } of [...waiting]) settle()
    },
  }
}

const sizeOf = (fragments: readonly Fragment[]) => fragments.reduce((sum, { bytes }) => sum + bytes.length, 0)

/** The fragments around a time, all of one stream, and as many as a clip may have. */
function fragmentsAround(kept: readonly Fragment[], time: number): Parts {
  const around = kept.filter(({ from, to }) => to > time - CLIP_BEFORE_MS && from < time + CLIP_AFTER_MS)
  const middle = around.find(({ to }) => to >= time) ?? around.at(-1)
  if (!middle) return []
  const clip = around.filter(({ start }) => start === middle.start)
  while (sizeOf(clip) + middle.start.length > CLIP_BYTES) {
    if (clip.length === 1) return []
    // The seconds before the event go first: what follows shows the visit.
    if (clip[0] === middle) clip.pop()
    else clip.shift()
  }
  return [middle.start, ...clip.map(({ bytes }) => bytes)]
}

/** Calls back with each box of MP4. Chunks may end anywhere. Ignores everything after bytes that are none, or too many. */
function boxReader(onBox: (kind: string, box: Uint8Array) => void): (chunk: Uint8Array) => void {
  let chunks: Uint8Array[] = []
  let length = 0
  let needed = 8
  return chunk => {
    if (needed === Number.POSITIVE_INFINITY) return
    chunks.push(chunk)
    length += chunk.length
    while (length >= needed) {
      const all = Buffer.concat(chunks)
      needed = all.readUInt32BE(0)
      if (needed < 8 || needed > CLIP_BYTES) needed = Number.POSITIVE_INFINITY
      chunks = needed === Number.POSITIVE_INFINITY ? [] : [all]
      if (length < needed) break
      onBox(all.toString('latin1', 4, 8), all.subarray(0, needed))
      chunks = [all.subarray(needed)]
      length -= needed
      needed = 8
    }
  }
}
