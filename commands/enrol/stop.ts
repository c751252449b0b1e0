/** Stops a run after Ctrl-C: photos under way are finished. */

export interface Stop {
  signal: AbortSignal
  /** Restores the default effect of the signals. */
  remove(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Aborts at the first signal. A second one ends the process at once. */
export function onStop(): Stop {
  const controller = new AbortController()
  const remove = () => {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
  const stop = () => {
    remove()
    process.stderr.write('\nStopping after the photos under way. Press Ctrl-C again to stop at once.\n')
    controller.abort(new Error('stopped'))
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return { signal: controller.signal, remove }
}
