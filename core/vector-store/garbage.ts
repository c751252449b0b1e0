/** Forces garbage collection after large allocations are discarded. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Collects all garbage of this thread, which blocks it for some milliseconds. V8 alone would delay the collection. */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('globalThis.gc') as () => void
  }
  collect()
}
