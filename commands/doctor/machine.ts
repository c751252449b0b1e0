/** Checks of the machine: Node, memory, disk space, clock and ports. */
import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { diskSpaceOf } from '../../core/files/disk-space.ts'
import { IS_RELEASE } from '../../core/files/program-form.ts'
import { METADATA_FILE } from '../../core/metadata/database.ts'
import { faultOfPort } from '../processes/options.ts'
import { type Check, type Finding, ok, problem, type Subject, warning } from './check.ts'

const GIGABYTE = 2 ** 30

/** The version that `npm ci` installs. Older ones run the service too: 22.18 and later, or 20.15 and later for a release. */
const BEST_NODE = 24

export const node: Check = async () => {
  const version = process.versions.node
  if (Number.parseInt(version, 10) >= BEST_NODE) return ok(`Node.js ${version}.`)
  return warning(
    `Node.js ${version} is older than ${BEST_NODE}.`,
    IS_RELEASE ? `Install Node.js ${BEST_NODE}.` : `Run npm ci, which installs Node.js ${BEST_NODE}.`,
  )
}

/** Free memory for core and one edge process with their networks (docs/operations.md#edge-workers). */
const LEAST_MEMORY = GIGABYTE

/** A running service has its memory already. */
export const memory: Check = async ({ ready }) => {
  const available = process.availableMemory()
  const text = `${gigabytes(available)} GB of memory are free.`
  if (ready || available >= LEAST_MEMORY) return ok(text)
  return warning(text, `Free ${gigabytes(LEAST_MEMORY)} GB, or raise the limit of the container.`)
}

/** Free space below which an operator should act before writes stop. */
const COMFORTABLE_DISK = GIGABYTE

export const disk: Check = async ({ data }) => diskFinding(await diskSpaceOf(await nearestFolder(data)))

export function diskFinding({ free, needed }: { free: number; needed: number }): Finding {
  const text = `${gigabytes(free)} GB of the data folder's disk are free.`
  const remedy = 'Free some space: writes stop on a full disk (docs/monitoring.md#a-full-disk).'
  if (free < needed) return problem(text, remedy)
  return free < COMFORTABLE_DISK ? warning(text, remedy) : ok(text)
}

/** The folder, or its nearest existing parent. */
async function nearestFolder(path: string) {
  if (await lstat(path).catch(() => undefined)) return path
  return nearestFolder(dirname(path))
}

/** Tolerance between two clocks, in milliseconds. Core refuses edges beyond 300 s. */
const CLOCK_MS = 60_000

export const clock: Check = async subject => {
  const metadata = await lstat(join(subject.data, METADATA_FILE)).catch(() => undefined)
  return clockFinding(Date.now(), metadata?.mtimeMs ?? 0, await datesOf(subject))
}

/** `written`: time of the newest write to the data folder. `dates`: clocks of the running halves. Milliseconds since 1970. */
export function clockFinding(now: number, written: number, dates: readonly number[]): Finding {
  const text = `The clock says ${new Date(now).toISOString()}.`
  const remedy =
    'Set the clock, and use NTP: edge and core refuse each other when their clocks differ by 300 seconds.'
  if (dates.some(date => Math.abs(date - now) > CLOCK_MS))
    return problem(`${text} The service has another time.`, remedy)
  if (written > now + CLOCK_MS) return problem(`${text} The data folder was written later than that.`, remedy)
  return ok(text)
}

/** Dates in the answers of the running service. */
async function datesOf({ ready }: Subject): Promise<number[]> {
  const urls = ready ? [`${ready.core}/healthz`, `${ready.edge}/healthz`] : []
  const answers = await Promise.all(urls.map(url => fetch(url).catch(() => undefined)))
  return answers.flatMap(answer => {
    const date = Date.parse(answer?.headers.get('date') ?? '')
    return Number.isNaN(date) ? [] : [date]
  })
}

export const ports: Check = async ({ ready, env }) => {
  if (ready) return ok(`The service runs at ${ready.edge} and ${ready.core}.`)
  const wanted = [
    { variable: 'MIEN_EDGE_PORT', option: '--edge-port', host: env.MIEN_HOST, standard: '8787' },
    { variable: 'MIEN_CORE_PORT', option: '--core-port', host: env.MIEN_CORE_HOST, standard: '8788' },
  ]
  for (const { variable, option, host = '127.0.0.1', standard } of wanted) {
    const port = Number(env[variable] ?? standard)
    const fault = await faultOfPort(host, port)
    if (fault !== undefined)
      return problem(
        `Port ${port} of ${host} can't be used (${fault}).`,
        `End the program that uses it, or choose another port: ${option} or ${variable}.`,
      )
  }
  return ok('The ports of the service are free.')
}

const gigabytes = (bytes: number) => (bytes / GIGABYTE).toFixed(1)
