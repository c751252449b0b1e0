/** A checkout of the last release: its sources from the history of Git, with the packages of this checkout. */

import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import released from '#contract/operations/released-messages.json' with { type: 'json' }
import { ROOT } from '#test/support/root.ts'

/** Built files. They are the same unless the release has other networks. */
const BUILT = ['models/built', 'wasm/built', 'edge/built']

interface ReleasedCheckout {
  folder: string
  remove(): Promise<void>
}

/** False in a checkout without the release's commit. */
export function hasRelease(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${released.commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Writes the checkout to a temporary folder. */
export async function checkOutRelease(): Promise<ReleasedCheckout> {
  const folder = await mkdtemp(join(tmpdir(), 'mien-released-'))
  const sources = execFileSync('git', ['archive', released.commit], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: sources })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const built of BUILT) {
    await mkdir(join(folder, built), { recursive: true })
    await cp(join(ROOT, built), join(folder, built), { recursive: true })
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) }
}

/** Builds the edge bundle of the checkout with `wrangler deploy --dry-run`. */
export function buildRelease({ folder }: ReleasedCheckout): void {
  const build = [join(folder, 'commands', 'mien.js'), 'build']
  execFileSync(process.execPath, build, { stdio: 'ignore', timeout: 300_000 })
}
