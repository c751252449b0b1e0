/** Core's entry: `node core/server.ts` opens the service, listens, and stops in good order. */
import type { Server, ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createAdaptorServer } from '@hono/node-server'
import type { CalibrationName } from '../models/calibrations.ts'
import { type PlacedPack, requireUsable, tableOf } from '../models/packs.ts'
import { CalibrationRefused } from './calibration/make.ts'
import { type CalibrationReport, reportOf } from './calibration/report.ts'
import { packScale, type Scale } from './calibration/scale.ts'
import { siteFor } from './calibration/site-file.ts'
import { siteScale } from './calibration/site-scale.ts'
import { AWS_VARIABLES, BUCKET_SECRET, readBucketKeys } from './configuration/bucket.ts'
import { KEY_VARIABLES, readOperatorKey } from './configuration/encryption-key.ts'
import { type Configuration, readConfiguration } from './configuration/environment.ts'
import type { Options } from './configuration/options.ts'
import { readOptions } from './configuration/read-options.ts'
import { secretsInFiles } from './configuration/secret-files.ts'
import { LIMITS } from './contract/limits.ts'
import { openEmbedder } from './embedding/embedder.ts'
import { openEstimator } from './embedding/estimator.ts'
import { embedderLabel } from './embedding/label.ts'
import type { DataKey } from './encryption/encrypt.ts'
import { openDataKey } from './encryption/folder-key.ts'
import { makePrivateFiles } from './files/private.ts'
import { refuseMalformed } from './http/malformed.ts'
import { onShutdown } from './http/shutdown.ts'
import { logToStdout } from './log.ts'
import { chosenPack, conversionAdvice } from './operations/upkeep/chosen-pack.ts'
import { openService, type Reading, type Service } from './service.ts'

/** How long requests under way may take to finish once the process is told to stop. */
const DRAIN_MS = 10_000

/**
 * Of these, how long core still listens, to tell edges that it goes: whoever asks without a look was answered a second ago
 * at most, and what is asked is on its way for less than another one.
 */
const GOING_MS = LIMITS.coreHeardMs + 1_000

/** How often connections are counted, and those that have become idle are closed, while stopping. */
const SWEEP_MS = 50

/** How long a connection of the edge may rest between requests: longer than the edge keeps it. */
const KEEP_ALIVE_MS = 75_000

const HTTP_TIMES: ServerOptions = {
  headersTimeout: LIMITS.headerArrivalMs,
  requestTimeout: LIMITS.bodyArrivalMs,
  connectionsCheckingInterval: LIMITS.headerCheckMs,
  keepAliveTimeout: KEEP_ALIVE_MS,
}

async function main(): Promise<void> {
  makePrivateFiles()
  const configuration = readConfiguration({ ...process.env, ...(await secretsInFiles(process.env)) })
  const { options, warnings } = await readOptions(configuration, process.env)
  for (const warning of warnings) logToStdout('configuration', { warning })
  const dataKey = await openDataKey(configuration.data, await readOperatorKey(process.env))
  const bucketKeys = await readBucketKeys(process.env)
  // Neither threads nor children get what only this start needs.
  for (const variable of [KEY_VARIABLES.key, BUCKET_SECRET.key, AWS_VARIABLES.secret])
    delete process.env[variable]
  const pack = requireUsable(await chosenPack(configuration.data, configuration.pack))
  const warning = conversionAdvice(pack)
  if (warning) logToStdout('pack', { pack: pack.name, warning })
  const service = await openService(
    { ...configuration, options, pack, dataKey, bucketKeys },
    (options, pack) => openReading(options, pack, configuration.data, dataKey),
    logToStdout,
  )
  const server = createAdaptorServer({ fetch: service.fetch, serverOptions: HTTP_TIMES }) as Server
  server.on('clientError', refuseMalformed)
  const port = await listen(server, configuration)
  onShutdown(() => stop(server, service))
  logToStdout('ready', { host: configuration.host, port })
  // A launcher that has ended meanwhile is no error: this process hears of its end, and stops.
  process.send?.({ ready: true, port }, undefined, undefined, () => {})
}

/** The networks of the attributes are loaded only where they may be asked for. */
async function openReading(
  { gae, calibration }: Options,
  pack: PlacedPack,
  data: string,
  dataKey: DataKey | undefined,
): Promise<Reading> {
  const { scale, report } = await calibrationOf(pack, calibration, data, dataKey)
  const embedder = await openEmbedder({ pack })
  const estimator = gae ? await openEstimator({ pack }) : undefined
  return {
    embed: embedder.embed,
    scale,
    calibration: report,
    ...(estimator && { estimate: estimator.estimate }),
    async close() {
      await Promise.all([embedder.close(), estimator?.close()])
    },
  }
}

/** The site's own scale, where it is calibrated; else the pack's. Throws CalibrationRefused: another one is never taken silently. */
async function calibrationOf(
  pack: PlacedPack,
  table: CalibrationName,
  data: string,
  dataKey: DataKey | undefined,
): Promise<{ scale: Scale; report: CalibrationReport }> {
  const known = requireUsable(pack)
  const scale = packScale(tableOf(known, table))
  const site = await siteFor(data, embedderLabel(pack), dataKey)
  const report = reportOf(known, site ? 'site' : table)
  logToStdout('calibration', { pack: pack.name, table: report.table })
  if (!site) return { scale, report }
  if (table !== 'default')
    throw new CalibrationRefused(
      `The calibration of this site has no table "${table}". Use the pack's: npm run calibrate -- --off. Or set MIEN_CALIBRATION=default.`,
    )
  logToStdout('calibrated', { people: site.people, made: site.made })
  return { scale: siteScale(site, scale), report }
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

/** What is under way is finished first, as far as there is time for it. */
async function stop(server: Server, service: Service): Promise<void> {
  logToStdout('stopping')
  service.retire()
  const end = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await untilHeard(server)
  await drain(server)
  clearTimeout(end)
  await service.close()
  process.exit(0)
}

/**
 * Resolves when nobody is connected any more, or has had the time to ask and to be told. A connection that is closed just
 * then may take a question with it that its edge must not repeat.
 */
async function untilHeard(server: Server): Promise<void> {
  const end = Date.now() + GOING_MS
  const connections = promisify(server.getConnections.bind(server))
  while (Date.now() < end && (await connections()) > 0) await sleep(SWEEP_MS)
}

/** Takes no more connections, and resolves when every request is answered. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  await closed
  clearInterval(sweep)
}

// A log that nobody reads any more is no reason to die half-way through stopping.
process.stdout.on('error', () => {})

try {
  await main()
} catch (error) {
  process.stderr.write(`Core could not start. ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
