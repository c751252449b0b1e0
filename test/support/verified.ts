/** Verifies data folders at the end of tests with random, interrupted or concurrent changes. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const MIEN = join(import.meta.dirname, '..', '..', 'commands', 'mien.js')

/** Throws when `mien store verify` finds a fault. Its stores may be open, and must not change meanwhile. */
export function expectVerified(data: string): void {
  const args = [MIEN, 'store', 'verify', '--data', data]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout + stderr)
}
