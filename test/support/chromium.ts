/** The installed Chromium, for tests and benchmarks of what browsers do. */
import { spawnSync } from 'node:child_process'
import { type Browser, chromium } from 'playwright-core'

/** The browser itself sends no requests, which closed networks would delay. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Path of the installed Chromium, which shows notifications; undefined without one. */
export const chromiumPath: string | undefined =
  process.env.CHROMIUM_PATH || inPath('chromium') || inPath('chromium-browser')

/** Path of Chromium without windows, which takes half of the CPU time; of the other one where it is not installed. */
const withoutWindows = process.env.CHROMIUM_PATH || inPath('chromium-headless-shell') || chromiumPath

/** Starts the browser with additional arguments. */
export const startChromium = (args: readonly string[] = [], path = withoutWindows): Promise<Browser> =>
  chromium.launch({
    args: [...QUIET, ...args],
    ...(path === undefined ? {} : { executablePath: path }),
  })

function inPath(name: string) {
  const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
