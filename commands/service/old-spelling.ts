/** Runs the files of verbs as scripts, as units and containers of earlier versions do. Goes with the next version. */
import { isMainScript } from './main-script.ts'

/** Hands over to commands/run.js when this process was started with the file of the verb. */
export function runAsScript(meta: ImportMeta, verb: string): void {
  if (!isMainScript(meta)) return
  process.argv.splice(2, 0, verb)
  // Not awaited: run.js imports the file of the verb, which has to be evaluated by then.
  void import(new URL('../run.js', import.meta.url).href)
}
