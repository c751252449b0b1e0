/** Shows the progress of a run: a bar on a terminal, a line every ten seconds elsewhere. */
import cliProgress from 'cli-progress'
import type { RunState } from './enrol-list.ts'

export interface Progress {
  show(state: RunState): void
  stop(): void
}

/** `total` is the number of photos of the list. Writes to standard error. */
export function showProgress(total: number): Progress {
  const bar = new cliProgress.SingleBar(
    {
      format: 'enrol {bar} {percentage}% {value}/{total} | {eta_formatted} left | {notEnrolled} not enrolled',
      hideCursor: true,
      noTTYOutput: true,
      notTTYSchedule: 10_000,
    },
    cliProgress.Presets.shades_classic,
  )
  bar.start(total, 0, { notEnrolled: 0 })
  return {
    show: ({ finished, notEnrolled }) => bar.update(finished, { notEnrolled }),
    stop: () => bar.stop(),
  }
}
