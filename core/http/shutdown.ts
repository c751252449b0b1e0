/** Graceful shutdown of a process by a signal, or by the end of its parent process. */
import { environment } from '../../contract/environment.ts'

/** Signals within this time count as one: the terminal and npm both send a signal on Ctrl-C. */
const DUPLICATE_SIGNAL_MS = 1_000

/** Calls `stop` once; `stop` ends the process. A later signal ends the process immediately with exit code 1. */
export function onShutdown(stop: () => Promise<void>): void {
  let requestedAt: number | undefined
  const requestStop = () => {
    if (requestedAt !== undefined) return
    requestedAt = environment.now()
    void stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (requestedAt !== undefined && environment.now() - requestedAt > DUPLICATE_SIGNAL_MS) process.exit(1)
      requestStop()
    })
  }
  process.on('disconnect', requestStop)
}
