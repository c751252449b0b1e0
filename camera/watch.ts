/** Watches the cameras of an owner: follows the list of the service, and posts an event for each visit. */
import type { MienClient } from '../clients/typescript/src/index.ts'
import { environment } from '../contract/environment.ts'
import type { Log } from '../core/log.ts'
import { openAnalyzer } from './analysis/analyzer.ts'
import { type CameraSettings, watchedCamera } from './camera.ts'
import { LIST_EVERY_MS, openCameraList } from './camera-list.ts'
import { removeLeftClips } from './footage/clip.ts'
import { openSender } from './footage/sender.ts'
import { pause } from './frames/back-off.ts'
import { openHeldCameras } from './leases.ts'
import { followViewers } from './live.ts'
import { type MetricsAddress, serveMetrics } from './metrics.ts'
import { LAST_POST_MS, openOutbox } from './outbox.ts'
import { openUploads } from './uploads.ts'
import type { VisitEvent } from './visit-event.ts'

interface WatchSettings extends CameraSettings {
  /** Cameras with this `detector` are watched. Absent: those without one. */
  detector?: string
  /** Worker threads of the analysis. */
  threads: number
  /** Cameras that this watcher takes at most. */
  maxCameras: number
  /** Where Prometheus reads metrics. Absent: nowhere. */
  metrics?: MetricsAddress
}

/** Watches until the signal aborts. Rejects when the first reading of the list of cameras fails. */
export async function watchCameras(
  client: MienClient,
  settings: WatchSettings,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const list = await openCameraList(client, log, signal)
  const watched = () => list.cameras.flatMap(camera => watchedCamera(camera, settings.detector) ?? [])
  await removeLeftClips()
  const sender = openSender(client, log, settings.program)
  const outbox = openOutbox(client, log, { onEnd: sender.posted, onReplace: sender.replaced })
  const analyzer = await openAnalyzer(settings.threads)
  const onVisit = (event: VisitEvent) => {
    sender.add(event)
    outbox.add(event)
  }
  const parts = { analyzer, onVisit, log }
  const watcher = environment.id()
  const cameras = openHeldCameras(client, { settings, parts, watcher, maxCameras: settings.maxCameras })
  const state = { held: cameras.held, waiting: outbox.waiting }
  const metrics =
    settings.metrics &&
    (await serveMetrics(settings.metrics, state).catch(async error => {
      await analyzer.close()
      throw error
    }))
  const viewing = followViewers(client, watcher, cameras.held, signal)
  const uploads = openUploads(client, settings, { watcher, log }, signal)
  log('watching', { watcher, cameras: watched().length, threads: settings.threads })
  try {
    while (!signal.aborted) {
      uploads.follow(list.cameras)
      const mayTakeMore = await cameras.follow(watched(), signal)
      if (!mayTakeMore) await pause(LIST_EVERY_MS, signal)
      if (!signal.aborted) await list.refresh()
    }
  } finally {
    await Promise.all([cameras.leaveAll(), viewing, uploads.close()])
    const lost = await outbox.close(LAST_POST_MS)
    await sender.close(LAST_POST_MS)
    await Promise.all([analyzer.close(), metrics?.close()])
    log('stopped', { lost })
  }
}
