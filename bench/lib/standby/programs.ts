/** Programs of a replicated PostgreSQL: found in a root folder, and run there as the user postgres. */
import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface Programs {
  /** Folder that the programs see as `/`. */
  root: string
  /** Folder of the newest PostgreSQL, inside the root. */
  postgres: string
}

/** User and group of the programs, which Debian's packages create. */
export const USER = 'postgres:postgres'

const VERSIONS = 'usr/lib/postgresql'

/** The programs, or the name of a missing one. */
export async function findPrograms(root: string): Promise<Programs | string> {
  const versions = (await readdir(join(root, VERSIONS)).catch(() => [])).map(Number).filter(Boolean)
  if (versions.length === 0) return 'PostgreSQL'
  const missing = ['etcd', 'patroni'].find(program => !runs(root, program))
  return missing ?? { root, postgres: `/${VERSIONS}/${Math.max(...versions)}/bin` }
}

function runs(root: string, program: string): boolean {
  try {
    execFileSync('chroot', [root, program, '--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
