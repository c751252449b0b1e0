/** Removes engine requirements from npm's lock file. */
import { join } from 'node:path'

export const LOCK_FILE = join(import.meta.dirname, '..', '..', 'package-lock.json')

interface Lock {
  packages: Record<string, { engines?: Record<string, string> }>
}

/**
 * The text of a lock file without the `engines` of packages. Npm on Node 20 then installs them without warnings: all
 * run on the Node 24 that the same lock file installs. test/unit/supply-chain.test.ts checks that they accept it.
 */
export function withoutEngines(text: string): string {
  const lock = JSON.parse(text) as Lock
  for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') delete entry.engines
  return `${JSON.stringify(lock, null, 2)}\n`
}
