/** So much work at a time; what comes besides waits for a while. */

/** Runs work as soon as there is a slot for it, first come, first served. */
export type ConcurrencyLimit = <Outcome>(work: () => Promise<Outcome>) => Promise<Outcome>

/** Rejects with the error of `late` what has waited for so long, in milliseconds. */
export function concurrencyLimit(count: number, waitMs: number, late: () => Error): ConcurrencyLimit {
  let free = count
  const waiting = new Set<() => void>()

  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        waiting.delete(begin)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(begin)
        reject(late())
      }, waitMs)
      waiting.add(begin)
    })

  return async work => {
    if (free > 0) free--
    else await turn()
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) next()
      else free++
    }
  }
}
