/** The installed Chromium, for tests and benchmarks of what browsers do. */
import { spawnSync } from 'node:child_process'
import { type Browser, chromium } from 'playwright-core'

/** Quiet on closed networks: the browser itself looks nothing up. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Undefined where there is no Chromium. */
export const chromiumPath: string | undefined =
  process.env.CHROMIUM_PATH || inPath('chromium') || inPath('chromium-browser')

/** Starts the browser with more arguments. */
export const startChromium = (...more: string[]): Promise<Browser> =>
  chromium.launch({
    args: [...QUIET, ...more],
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
  })

function inPath(name: string): string | undefined {
  const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
