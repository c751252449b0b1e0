/** Memory that is no longer needed, given back at once where the runtime would wait for a need of its own. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Collects all garbage of this thread, some milliseconds long: for when much of it was only just left behind. */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('globalThis.gc') as () => void
  }
  collect()
}
