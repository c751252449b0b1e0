/** Detects whether a module is the script that this process was started with. */
import { existsSync, realpathSync } from 'node:fs'

/** Like `import.meta.main`, which Node 24.0 lacks, and also true when commands/run.js started the script. */
export function isMainScript({ filename }: ImportMeta): boolean {
  const [, script = ''] = process.argv
  return existsSync(script) && realpathSync(script) === filename
}
