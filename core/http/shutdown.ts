/** When a process is told to stop: by a signal, or by the end of the one that started it. */

/** Ctrl-C comes twice at once, from the terminal and from npm: what comes within this time is the same wish to stop. */
const SAME_PRESS_MS = 1_000

/** Stops once, however often that is said; `stop` ends the process. A signal that comes later than that ends it at once, badly. */
export function onShutdown(stop: () => Promise<void>): void {
  let told: number | undefined
  const tell = (): void => {
    if (told !== undefined) return
    told = Date.now()
    void stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (told !== undefined && Date.now() - told > SAME_PRESS_MS) process.exit(1)
      tell()
    })
  }
  process.on('disconnect', tell)
}
