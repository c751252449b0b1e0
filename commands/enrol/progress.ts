/** Shows the progress of a run: a bar on a terminal, a line every ten seconds elsewhere. */
import cliProgress from 'cli-progress'
import type { RunState } from './sending/enrol-list.ts'

export interface Progress {
  show(state: RunState): void
  stop(): void
}

const LINE_EVERY_MS = 10_000

/** Time over which the rate is measured. */
const RATE_MS = 15_000

/** `total` is the number of photos of the list. Writes to `stream`, standard error by default. */
export function showProgress(total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  const rate = rateMeter()
  return stream.isTTY ? bar(total, rate, stream) : lines(total, rate, stream)
}

type Meter = (finished: number, now: number) => number

function bar(total: number, rate: Meter, stream: NodeJS.WriteStream): Progress {
  const format =
    'enrol {bar} {percentage}% {value}/{total} | {rate}/s | {left} left | {notEnrolled} not enrolled'
  const shown = new cliProgress.SingleBar(
    { format, stream, hideCursor: true },
    cliProgress.Presets.shades_classic,
  )
  shown.start(total, 0, { rate: '-', left: '-', notEnrolled: 0 })
  return {
    show({ finished, notEnrolled }) {
      const perSecond = rate(finished, performance.now())
      shown.update(finished, {
        rate: perSecond.toFixed(1),
        left: timeLeft(total - finished, perSecond),
        notEnrolled,
      })
    },
    stop: () => shown.stop(),
  }
}

function lines(total: number, rate: Meter, stream: NodeJS.WriteStream): Progress {
  let writtenAt = performance.now()
  return {
    show({ finished, notEnrolled, limit }) {
      const now = performance.now()
      const perSecond = rate(finished, now)
      if (now - writtenAt < LINE_EVERY_MS) return
      writtenAt = now
      const left = timeLeft(total - finished, perSecond)
      stream.write(
        `${finished} of ${total} photos, ${perSecond.toFixed(1)}/s with ${limit} at once, ${left} left, ${notEnrolled} not enrolled\n`,
      )
    },
    stop() {},
  }
}

/** Photos per second over the last RATE_MS. */
export function rateMeter(): Meter {
  const samples: { finished: number; at: number }[] = []
  return (finished, now) => {
    const last = samples.at(-1)
    if (last === undefined || now - last.at >= RATE_MS / 30) samples.push({ finished, at: now })
    while (samples.length > 1 && now - samples[0]!.at > RATE_MS) samples.shift()
    const { finished: before, at } = samples[0]!
    return now > at ? ((finished - before) * 1000) / (now - at) : 0
  }
}

/** Text such as `2 h 5 min`, `3 min 20 s` or `8 s`; `-` while the rate is unknown. */
export function timeLeft(photos: number, perSecond: number): string {
  if (perSecond === 0) return '-'
  const seconds = Math.ceil(photos / perSecond)
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${seconds} s`
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
