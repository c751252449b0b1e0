/** The service without its socket: opens and reconciles the stores, wires the dependencies, and closes them. */
import { environment } from '../contract/environment.ts'

import { STORE_LIMITS } from '../contract/limits/store.ts'
import type { Calibration } from '../models/calibrations.ts'
import type { PlacedPack } from '../models/packs.ts'
import manifest from '../package.json' with { type: 'json' }
import type { CalibrationReport, Scale } from './calibration/scale.ts'
import { type Configuration, readLayout } from './configuration/environment.ts'
import type { Options, ReadOptions } from './configuration/options.ts'
import { openKeys, secretsAreLost } from './configuration/secrets.ts'
import { chipLabel, embedderLabel } from './embedding/label.ts'
import type { DataKey } from './encryption/encrypt.ts'
import { restrictModes } from './files/private.ts'
import { createApp } from './http/app.ts'
import { guardHandlers, guardStreams, guardsOf } from './http/rpc/guards.ts'
import { handlers, streamHandlers } from './http/rpc/handlers.ts'
import { Nonces } from './http/rpc/nonces.ts'
import { type Log, traceOf } from './log.ts'
import { backupTimes } from './metadata/audit-log/entries.ts'
import { openReplicas } from './metadata/connection/replicas.ts'
import type { SharedSettings } from './metadata/connection/shared-settings.ts'
import { type MetricsOptions, measuredStore, serviceMetrics } from './metrics/metrics.ts'
import { reconcile } from './operations/consistency/reconcile.ts'
import { ready } from './operations/service/service-state.ts'
import { openSettings } from './operations/service/settings.ts'
import { type OpenStores, type Services, servicesOf } from './operations/services.ts'
import { openAnalyzer } from './photos/analyze.ts'
import { photoFetcher } from './photos/fetch.ts'
import type { BucketKeys } from './pictures/bucket/address.ts'
import { bucketOf } from './pictures/open.ts'
import { openStores } from './stores.ts'
import { startTasks } from './tasks.ts'

/** Networks: embeds chips and, if attributes are on, estimates them. Closed with the service. */
export type OpenNetworks = Pick<Services, 'embed'> &
  Partial<Pick<Services, 'estimate'>> & { close(): Promise<void> }

/** The calibration of scores. */
export interface CalibrationInUse {
  scale: Scale
  report: CalibrationReport
  /** Rows of score and confidence. */
  curve: Calibration
}

/** A running service. */
export interface Service {
  /** Handles a request. `connection` holds the Node request, which gives the remote address. */
  fetch(request: Request, connection: object): Response | Promise<Response>
  /** Starts to drain: `/readyz` returns 503, and requests of edges are rejected with DRAINING_HEADER. */
  retire(): void
  /** Closes all resources. No request may follow. */
  close(): Promise<void>
}

/** Settings of the service: the configuration with its resolved options, pack and keys. */
interface ServiceSettings extends Omit<Configuration, 'port' | 'optionsFile' | 'pack'> {
  options: Options
  origins: ReadOptions['origins']
  /** Pack for the analysis of photos and for embeddings. */
  pack: PlacedPack
  calibration: CalibrationInUse
  /** Whether a launcher starts the watcher of cameras. */
  hasWatcher: boolean
  /** Data key of an encrypted data folder. */
  dataKey?: DataKey
  /** Access keys of the bucket with pictures. */
  bucketKeys?: BucketKeys
}

/**
 * Opens and reconciles the data folder. Resolves when requests can be served. Networks are loaded during the reconciliation,
 * after the folder is locked.
 */
export async function openService(
  settings: ServiceSettings,
  openNetworks: (options: Options, pack: PlacedPack) => Promise<OpenNetworks>,
  log: Log,
): Promise<Service> {
  const { data, options, pack, calibration } = settings
  const embedder = embedderLabel(pack)
  const started = environment.now()
  // A previous process may have accepted requests that were signed before this time.
  const nonces = new Nonces(started)
  const secretsRecreated = await secretsAreLost(data)
  const keys = await openKeys(settings, {
    taken: () => log('keys reloaded'),
    refused: error => log('keys not reloaded', traceOf(error)),
  })
  const bucket = await bucketOf(data, settings)
  const shares = () => ({ embedder, links: keys.links().map(({ id }) => id), bucket })
  const stores = await openServedStores(settings, { embedder, shares }, log)
  const { changed, refused: left } = await restrictModes(data)
  if (changed > 0 || left.length > 0) log('files made private', { changed, refused: left.join(', ') })
  const [{ close: closeNetworks, ...networks }, reconciliation] = await Promise.all([
    openNetworks(options, pack),
    reconcile(stores),
  ])
  log('reconciled', { ...reconciliation })
  const replicas = settings.database?.replicas && openReplicas(settings.database, dependencyLog(log))
  const metrics = serviceMetrics({
    version: manifest.version,
    pack: pack.name,
    probes: probesOf(stores, { hasBucket: bucket !== undefined, replica: replicas?.confirm }),
  })
  measuredStore(stores.vectors, metrics)
  const liveSettings = await openSettings(stores.database, settings)
  const services = servicesOf(stores, {
    ...networks,
    scale: calibration.scale,
    links: keys.links,
    options: liveSettings.options,
    keep: { pictures: settings.storePictures, photoNames: settings.storePhotoNames },
    requestsPerSecond: settings.requestsPerSecond,
    embed: metrics.timed('embed', networks.embed),
  })
  if (secretsRecreated) {
    log('secrets recreated', {
      why: 'secrets.json was missing: links to pictures have ended, and edges elsewhere need the new secret',
    })
    await services.record({ actor: 'service', action: 'secrets.made-anew' })
  }
  const tasks = startTasks(
    services,
    { webhookHosts: settings.webhookHosts, onDelivery: metrics.delivery, settings: liveSettings },
    log,
  )
  const analyzer = openAnalyzer({
    pack,
    onCrash: (how, count) => log('decoder crashed', { how, count }),
  })
  let retired = false

  // Loaded on use.
  const provider =
    settings.provider &&
    (await import('./operations/access/provider.ts')).openProvider(settings.provider, error =>
      log('provider refused', traceOf(error)),
    )
  const guards = guardsOf(services, replicas)
  const operations = guardHandlers(
    handlers(services, {
      fetchPhoto: photoFetcher({
        trustedHosts: settings.photoHosts,
        onFault: error => log('photo not fetched', traceOf(error)),
      }),
      analyze: analyzer.analyze,
      chip: pack.embedder.chip,
      settings: liveSettings,
      provider,
      facts: () => ({
        version: manifest.version,
        laterVersion: tasks.laterVersion(),
        pack: pack.name,
        embedder,
        started,
        calibration,
        hasBackupPlace: settings.backupTo !== undefined,
        hasWatcher: settings.hasWatcher,
        durations: metrics.quantiles,
      }),
    }),
    guards,
  )

  const app = createApp({
    services,
    handlers: operations,
    streamHandlers: guardStreams(streamHandlers(services), guards),
    signed: { keys: keys.edge, nonces },
    chips: chipLabel(pack),
    operatorAccess: settings,
    metrics,
    calibration: calibration.report,
    laterVersion: tasks.laterVersion,
    isReady: () =>
      ready(stores).then(
        () => !retired,
        () => false,
      ),
    isDraining: () => retired,
    refused: tasks.refused.count,
    log,
  })
  return {
    fetch: (request, connection) => app.fetch(request, connection),
    retire: () => {
      retired = true
      void services.events.close()
      void services.liveView.close()
    },
    async close() {
      keys.close()
      await Promise.all([
        analyzer.close(),
        closeNetworks(),
        tasks.stop(),
        services.events.close(),
        services.liveView.close(),
      ])
      await tasks.stopAuditing()
      await stores.close()
    },
  }
}

/** Logs that a database, replica or bucket is away or back. */
const dependencyLog =
  (log: Log) =>
  (event: string, cause?: unknown): void =>
    log(event, cause === undefined ? {} : traceOf(cause))

async function openServedStores(
  settings: ServiceSettings,
  { embedder, shares }: { embedder: string; shares: () => SharedSettings },
  log: Log,
): ReturnType<typeof openStores> {
  return openStores(settings.data, {
    indexAbove: settings.indexAbove,
    embedder,
    dataKey: settings.dataKey,
    database: settings.database,
    patienceMs: STORE_LIMITS.databaseStartMs,
    shares,
    onMigration: log,
    onDatabase: dependencyLog(log),
    pictures: settings.pictures,
    bucketKeys: settings.bucketKeys,
    onBucket: dependencyLog(log),
    shards: await readLayout(settings.shardsFile),
    onRoom: log,
    onDamage: what => log('damaged', { what }),
    onShard: (event, { address, cells }, cause) =>
      log(event, { address, cells, ...(cause === undefined ? {} : traceOf(cause)) }),
  })
}

const probesOf = (
  stores: OpenStores,
  { hasBucket, replica }: { hasBucket: boolean; replica: MetricsOptions['probes']['replica'] },
): MetricsOptions['probes'] => ({
  shards: () => stores.vectors.states(),
  database: () => ready(stores),
  replica,
  bucket: hasBucket ? () => stores.pictures.reach() : undefined,
  diskFree: () => stores.diskSpace.free(),
  isDiskFull: () => stores.diskSpace.isFull(),
  missingVectors: () => stores.missingVectors?.vectors ?? 0,
  backups: () => backupTimes(stores.database),
})
