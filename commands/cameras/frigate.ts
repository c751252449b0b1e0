/** Connects `mien watch --frigate` with the service, and runs it until a signal. */
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { watchFrigate } from '../../camera/frigate/watch.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { logToStdout } from '../../core/log.ts'
import type { ServiceOptions } from '../api/options.ts'
import { KEEP_WASM_CODE } from '../processes/child.ts'
import { UsageError } from '../terminal/command-line.ts'
import { connect } from '../terminal/connection.ts'
import { dataFolder } from '../terminal/paths.ts'
import { type BrokerOptions, brokerOf } from './broker-options.ts'

export interface FrigateOptions extends BrokerOptions {
  /** URL of the broker. */
  frigate?: string
  frigateUrl?: string
  frigateTopic: string
}

/** The options of `mien watch` that count for Frigate. */
interface FrigateRun extends ServiceOptions, FrigateOptions {
  detector?: string
  threads?: number
  minFace: number
  minQuality: number
}

/** Milliseconds for one request. The outbox repeats requests itself. */
const REQUEST_MS = 30_000

/** Runs until SIGINT or SIGTERM. */
export async function runFrigate(options: FrigateRun): Promise<number> {
  const { url, tokenFile, data, detector } = options
  const settings = {
    broker: await brokerOf('--frigate', options.frigate, options),
    frigate: apiOf(options.frigateUrl),
    topic: options.frigateTopic,
    ...omitUndefined('detector', detector),
    threads: options.threads ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    leastSide: options.minFace,
    leastQuality: options.minQuality,
  }
  const { client } = await connect({
    ...{ url, tokenFile, data: dataFolder(data) },
    ...{ retries: 0, timeoutMs: REQUEST_MS },
  })
  // Threads start from here on.
  setFlagsFromString(KEEP_WASM_CODE)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  await watchFrigate(client, settings, logToStdout, stop.signal)
  return 0
}

function apiOf(text: string | undefined): string {
  const url = text && URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError('--frigate-url: expected the URL of Frigate, without a user and password.')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
