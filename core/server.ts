/** Entry point of core: `node core/server.ts` opens the service, listens, and shuts down gracefully. */

import { type Server, type ServerOptions, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { createAdaptorServer } from '@hono/node-server'
import { environment, retry } from '../contract/environment.ts'
import { type ErrorCode, errorAnswer, ServiceError } from '../contract/errors.ts'
import { EDGE_LIMITS } from '../contract/limits/edge.ts'
import { REQUEST_LIMITS } from '../contract/limits/requests.ts'
import { RPC_LIMITS } from '../contract/limits/rpc.ts'
import type { CalibrationName } from '../models/calibrations.ts'
import { filesOf } from '../models/file-entry.ts'
import { readerOf } from '../models/files.ts'
import { chosenPack, type PlacedPack, requireUsable, tableOf } from '../models/packs.ts'
import { reportOf, tableScale } from './calibration/scale.ts'
import {
  AWS_SECRET,
  BUCKET_SECRET,
  OPERATOR_KEY,
  PROVIDER_SECRET,
  readBucketKeys,
  readOperatorKey,
  secretsInFiles,
} from './configuration/credentials.ts'
import { type Configuration, HAS_WATCHER, readConfiguration } from './configuration/environment.ts'
import { type Options, readOptions } from './configuration/options.ts'
import { refuseTraces, removeSite } from './configuration/removed-features.ts'
import { openEmbedder } from './embedding/embedder.ts'
import { openEstimator } from './embedding/estimator.ts'
import { openDataKey } from './encryption/folder-key.ts'
import { makePrivateFiles } from './files/private.ts'
import { boundConnections } from './http/connections.ts'
import { onShutdown } from './http/shutdown.ts'
import { logToStdout } from './log.ts'
import { type CalibrationInUse, type OpenNetworks, openService, type Service } from './service.ts'

const PARSER_CODES: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/** Handles the event `clientError` of a server: writes an error response of the contract and closes the connection. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Each further chunk of a malformed request emits the event again.
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { status, body } = errorAnswer(new ServiceError(PARSER_CODES[error.code ?? ''] ?? 'BAD_REQUEST'))
  const text = JSON.stringify({ ...body, request_id: environment.id() })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
  // Time for the caller to read the response before the connection is destroyed.
  environment.timer(() => socket.destroy(), REQUEST_LIMITS.brokenRequestMs, { ref: false })
}

/** Time for requests in progress to complete during shutdown, in milliseconds. */
const DRAIN_MS = 10_000

/**
 * How long a draining core still listens, to reject requests with DRAINING_HEADER. Edges send requests that are not repeatable
 * without a health check for EDGE_LIMITS.coreAliveMs after a response; a further second covers requests in transit.
 */
const DRAINING_LISTEN_MS = EDGE_LIMITS.coreAliveMs + 1_000

/** Interval at which connections are counted and idle ones closed during shutdown, in milliseconds. */
const CHECK_INTERVAL_MS = 50

/** Keep-alive time of idle connections, in milliseconds. Longer than the keep-alive time of the edge. */
const KEEP_ALIVE_MS = 75_000

const HTTP_TIMES: ServerOptions = {
  headersTimeout: REQUEST_LIMITS.headerArrivalMs,
  requestTimeout: REQUEST_LIMITS.bodyArrivalMs,
  connectionsCheckingInterval: REQUEST_LIMITS.headerCheckMs,
  keepAliveTimeout: KEEP_ALIVE_MS,
}

async function main(): Promise<void> {
  makePrivateFiles()
  refuseTraces(process.env)
  const configuration = readConfiguration({ ...process.env, ...(await secretsInFiles(process.env)) })
  const { options, origins, warnings } = await readOptions(configuration, process.env)
  for (const warning of warnings) logToStdout('configuration', { warning })
  const dataKey = await openDataKey(configuration.data, await readOperatorKey(process.env))
  const bucketKeys = await readBucketKeys(process.env)
  // Threads and child processes must not inherit these secrets.
  for (const variable of [OPERATOR_KEY, BUCKET_SECRET, AWS_SECRET, PROVIDER_SECRET])
    delete process.env[variable]
  const pack = requireUsable(await chosenPack(configuration.data, configuration.pack))
  // Before the stores: a pack that cannot be used refuses the start, and the data folder stays unchanged.
  const calibration = calibrationOf(pack, options.calibration)
  await requireVisionFiles(pack)
  const service = await openService(
    {
      ...configuration,
      options,
      origins,
      pack,
      calibration,
      dataKey,
      bucketKeys,
      hasWatcher: process.argv.includes(HAS_WATCHER),
    },
    openNetworks,
    logToStdout,
  )
  await removeSite(configuration.data, () =>
    logToStdout('site calibration removed', {
      advice: `confidences come from the table "${options.calibration}" of the pack from now on: check thresholds`,
    }),
  )
  const server = createAdaptorServer({ fetch: service.fetch, serverOptions: HTTP_TIMES }) as Server
  server.on('clientError', refuseMalformed)
  boundConnections(server, RPC_LIMITS)
  const port = await listen(server, configuration)
  onShutdown(() => stop(server, service))
  logToStdout('ready', { host: configuration.host, port })
  // A parent process that has ended is not an error: the event `disconnect` stops this process.
  process.send?.({ ready: true, port }, undefined, undefined, () => {})
}

/** Loads the networks. Networks of attributes are loaded only with the option `gae`. */
async function openNetworks({ gae }: Options, pack: PlacedPack): Promise<OpenNetworks> {
  const embedder = await openEmbedder({ pack })
  const estimator = gae ? await openEstimator({ pack }) : undefined
  return {
    embed: embedder.embed,
    estimate: estimator?.estimate,
    async close() {
      await Promise.all([embedder.close(), estimator?.close()])
    },
  }
}

/** Throws when a network of photo analysis is missing or damaged: core opens these networks on use. */
async function requireVisionFiles({ detector, landmarks, liveness, files }: PlacedPack) {
  await Promise.all(filesOf({ detector, landmarks, liveness }).map(readerOf(files)))
}

/** The calibration by a table of the pack. Throws PackRefused when the pack lacks the table. */
function calibrationOf(pack: PlacedPack, table: CalibrationName): CalibrationInUse {
  const known = requireUsable(pack)
  const curve = tableOf(known, table)
  logToStdout('calibration', { pack: pack.name, table })
  return { scale: tableScale(curve, tableOf(known, 'default')), report: reportOf(known, table), curve }
}

function listen(server: Server, { host, port }: Configuration): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', error => {
      const taken = 'code' in error && error.code === 'EADDRINUSE'
      reject(taken ? new Error(`Port ${port} of ${host} is taken.`, { cause: error }) : error)
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** Drains the server for at most DRAIN_MS, closes the service and ends the process. */
async function stop(server: Server, service: Service) {
  logToStdout('stopping')
  service.retire()
  const end = environment.timer(() => server.closeAllConnections(), DRAIN_MS)
  await waitForEdges(server)
  await drain(server)
  end.cancel()
  await service.close()
  process.exit(0)
}

/**
 * Resolves when no connection is left, or after DRAINING_LISTEN_MS. Until then edges get responses with DRAINING_HEADER.
 * Closing the connections earlier could lose requests that edges must not repeat.
 */
async function waitForEdges(server: Server) {
  await retry(promisify(server.getConnections.bind(server)), {
    isDone: connections => connections === 0,
    forMs: DRAINING_LISTEN_MS,
    delayMs: CHECK_INTERVAL_MS,
  })
}

/** Accepts no more connections, and resolves when all requests have a response. */
async function drain(server: Server) {
  const closed = new Promise(resolve => server.close(resolve))
  const checking = environment.interval(() => server.closeIdleConnections(), CHECK_INTERVAL_MS)
  await closed
  checking.cancel()
}

// A closed log pipe must not interrupt the shutdown.
process.stdout.on('error', () => {})

try {
  await main()
} catch (error) {
  process.stderr.write(`Core could not start. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
