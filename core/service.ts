/** The service without its socket: everything opened, reconciled and ready to be asked, and closed again. */

import type { PlacedPack } from '../models/packs.ts'
import type { CalibrationReport } from './calibration/report.ts'
import type { Configuration } from './configuration/environment.ts'
import { openKeys } from './configuration/keys.ts'
import type { Options } from './configuration/options.ts'
import { secretsAreLost } from './configuration/secrets.ts'
import { readLayout } from './configuration/shards.ts'
import { LIMITS } from './contract/limits.ts'
import { embedderLabel } from './embedding/label.ts'
import type { DataKey } from './encryption/encrypt.ts'
import { restrictModes } from './files/private.ts'
import { createApp } from './http/app.ts'
import { audited } from './http/rpc/audited.ts'
import { diskGuarded } from './http/rpc/disk-guarded.ts'
import { handlers } from './http/rpc/handlers.ts'
import { Nonces } from './http/rpc/nonces.ts'
import { streamHandlers } from './http/rpc/stream-handlers.ts'
import { type Log, traceOf } from './log.ts'
import { keepReconciling, reconcile } from './operations/consistency/reconcile.ts'
import { openStores, type Services, servicesOf } from './operations/services.ts'
import { failedAuthentications, keepAuditing } from './operations/upkeep/audited-refusals.ts'
import { ready } from './operations/upkeep/ready.ts'
import { keepExpiring } from './operations/upkeep/retention.ts'
import { keepTokenUsage } from './operations/upkeep/token-usage.ts'
import { openAnalyzer } from './photos/analyze.ts'
import { photoFetcher } from './photos/fetch.ts'
import type { BucketKeys } from './pictures/bucket/address.ts'
import { bucketOf } from './pictures/open.ts'

/** What reads chips: embeddings, what their scores mean and, where that is on, attributes. Closed with the service. */
export type Reading = Pick<Services, 'embed' | 'scale'> &
  Partial<Pick<Services, 'estimate'>> & {
    calibration?: CalibrationReport | undefined
    close(): Promise<void>
  }

export interface Service {
  /** Answers a request. The connection that it came over says where from. */
  fetch(request: Request, connection: object): Response | Promise<Response>
  /** From now on `/readyz` says no and edges are turned away, so that they and balancers send nothing new. */
  retire(): void
  /** Lets go of everything; nothing may be asked any more. */
  close(): Promise<void>
}

export interface ServiceSettings extends Omit<Configuration, 'port' | 'optionsFile' | 'pack'> {
  options: Options
  /** What photos are looked at and faces embedded with. */
  pack: PlacedPack
  /** Of the data folder, where it is encrypted. */
  dataKey?: DataKey | undefined
  /** Of the bucket that pictures are in. */
  bucketKeys?: BucketKeys | undefined
}

/**
 * Opens the data folder, puts right what a crash left, and resolves when the first question can be answered. The
 * networks are loaded after the folder is known to be free, and while it is put right.
 */
export async function openService(
  settings: ServiceSettings,
  openReading: (options: Options, pack: PlacedPack) => Promise<Reading>,
  log: Log,
): Promise<Service> {
  const { data, photoHosts, operatorToken, indexAbove, onlyIndex, requestsPerSecond, options, pack } =
    settings
  const embedder = embedderLabel(pack)
  // What was signed earlier, the process before this one may have heard.
  const nonces = new Nonces(Date.now())
  const madeAnew = await secretsAreLost(data)
  const keys = await openKeys(settings, {
    taken: () => log('keys taken'),
    refused: error => log('keys not taken', traceOf(error)),
  })
  const bucket = await bucketOf(data, settings)
  const { changed, refused: left } = await restrictModes(data)
  if (changed > 0 || left.length > 0) log('files made private', { changed, refused: left.join(', ') })
  const stores = await openStores(data, {
    operatorToken,
    indexAbove,
    onlyIndex,
    embedder,
    dataKey: settings.dataKey,
    database: settings.database,
    patienceMs: LIMITS.databaseStartMs,
    shares: () => ({ embedder, links: keys.links().map(({ id }) => id), bucket }),
    onDatabase: (event, cause) => log(event, cause === undefined ? {} : traceOf(cause)),
    pictures: settings.pictures,
    bucketKeys: settings.bucketKeys,
    onBucket: (event, cause) => log(event, cause === undefined ? {} : traceOf(cause)),
    shards: await readLayout(settings.shardsFile),
    onRoom: log,
    onDamage: what => log('damaged', { what }),
    onShard: (event, { address, cells }, cause) =>
      log(event, { address, cells, ...(cause === undefined ? {} : traceOf(cause)) }),
  })
  const [{ close: closeReading, calibration, ...reading }, reconciliation] = await Promise.all([
    openReading(options, pack),
    reconcile(stores),
  ])
  log('reconciled', { ...reconciliation })
  const looker = openAnalyzer({ pack, onFall: (how, count) => log('decoder fell', { how, count }) })
  const keep = { pictures: settings.storePictures, photoNames: settings.storePhotoNames }
  const services = servicesOf(stores, { links: keys.links, options, keep, requestsPerSecond, ...reading })
  if (madeAnew) {
    log('secrets made anew', {
      why: 'secrets.json was missing: links to pictures have ended, and edges elsewhere need the new secret',
    })
    await services.record({ actor: 'service', action: 'secrets.made-anew' })
  }
  const settling = keepReconciling(services, {
    done: settlement => {
      if (Object.values(settlement).some(count => count > 0)) log('reconciled', { ...settlement })
    },
    failed: error => log('not reconciled', traceOf(error)),
  })
  const uses = keepTokenUsage(services, error => log('uses of tokens not written', traceOf(error)))
  const sweeping = keepExpiring(services, {
    done: faces => {
      if (faces > 0) log('kept long enough', { faces })
    },
    failed: error => log('not swept', traceOf(error)),
  })
  const refused = failedAuthentications(services)
  const telling = keepAuditing(services, refused, {
    head: link => log('audit', { ...link }),
    failed: error => log('audit not told', traceOf(error)),
  })
  let retired = false

  const app = createApp({
    services,
    handlers: audited(
      diskGuarded(
        handlers(services, {
          fetchPhoto: photoFetcher({
            trustedHosts: photoHosts,
            onFault: error => log('photo not fetched', traceOf(error)),
          }),
          looker,
          chip: pack.embedder.chip,
        }),
        stores.diskSpace,
      ),
      services.record,
    ),
    readings: streamHandlers(services),
    signed: { keys: keys.edge, nonces },
    embedder,
    door: settings,
    calibration,
    isReady: () =>
      ready(stores).then(
        () => !retired,
        () => false,
      ),
    isGoing: () => retired,
    refused: refused.count,
    log,
  })
  return {
    fetch: (request, connection) => app.fetch(request, connection),
    retire: () => {
      retired = true
    },
    async close() {
      keys.close()
      await Promise.all([looker.close(), closeReading(), settling.stop(), uses.stop(), sweeping.stop()])
      await telling.stop()
      await refused.insertEntries().catch(() => {})
      await stores.close()
    },
  }
}

/** The operator's list of shards. Throws ConfigurationError when there is no such file, and LayoutRefused. */
