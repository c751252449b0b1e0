/** Verifies data folders at the end of tests with random, interrupted or concurrent changes. */
import { typed } from './typed.ts'

/** Throws when `mien store verify` finds a fault. Its stores may be open, and must not change meanwhile. */
export function expectVerified(data: string): void {
  const { status, said } = typed(['store', 'verify', '--data', data])
  if (status !== 0) throw new Error(said)
}
