/** Watches the cameras of an owner: follows the list of the service, and posts an event for each visit. */
import { isDeepStrictEqual } from 'node:util'
import { type MienClient, MienError } from '../clients/typescript/src/index.ts'
import type { Log } from '../core/log.ts'
import { openAnalyzer } from './analysis/analyzer.ts'
import {
  type CameraParts,
  type CameraSettings,
  type CameraWatch,
  type WatchedCamera,
  watchCamera,
  watchedCamera,
} from './camera.ts'
import { pause } from './frames/back-off.ts'
import { openOutbox } from './posting/outbox.ts'

export interface WatchSettings extends CameraSettings {
  /** Cameras with this `detector` are watched. Absent: those without one. */
  detector?: string
  /** Worker threads of the analysis. */
  threads: number
  /** Milliseconds between two readings of the list of cameras. */
  listEveryMs?: number
}

const LIST_EVERY_MS = 5_000

/** How long events may still be posted after a stop, in milliseconds. */
const GRACE_MS = 10_000

/** Watches until the signal aborts. Rejects when the first reading of the list of cameras fails. */
export async function watchCameras(
  client: MienClient,
  settings: WatchSettings,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const list = async () =>
    (await client.cameras.list({ signal }).toArray()).flatMap(
      camera => watchedCamera(camera, settings.detector) ?? [],
    )
  let listed = await list()
  const analyzer = await openAnalyzer(settings.threads)
  const outbox = openOutbox(client, log)
  const parts: CameraParts = { analyzer, onVisit: outbox.add, log }
  const watches = new Map<string, CameraWatch>()
  log('watching', { cameras: listed.length, threads: settings.threads })
  try {
    let isAway = false
    while (!signal.aborted) {
      await follow(listed, watches, settings, parts)
      await pause(settings.listEveryMs ?? LIST_EVERY_MS, signal)
      if (signal.aborted) break
      try {
        listed = await list()
        if (isAway) log('cameras known again')
        isAway = false
      } catch (error) {
        if (!isAway && !signal.aborted)
          log('cameras unknown', { code: error instanceof MienError ? error.code : 'no answer' })
        isAway = true
      }
    }
  } finally {
    await Promise.all([...watches.values()].map(watch => watch.stop()))
    const lost = await outbox.close(GRACE_MS)
    await analyzer.close()
    log('stopped', { lost })
  }
}

/** Stops cameras that are gone or have another URL, changes the regions of others, and starts new ones. */
async function follow(
  listed: readonly WatchedCamera[],
  watches: Map<string, CameraWatch>,
  settings: WatchSettings,
  parts: CameraParts,
): Promise<void> {
  const byId = new Map(listed.map(camera => [camera.id, camera]))
  const ended = [...watches.values()].filter(({ camera }) => byId.get(camera.id)?.url !== camera.url)
  for (const { camera } of ended) {
    watches.delete(camera.id)
    parts.log('camera left', { camera: camera.id })
  }
  await Promise.all(ended.map(watch => watch.stop()))
  for (const camera of listed) {
    const watch = watches.get(camera.id)
    if (!watch) watches.set(camera.id, watchCamera(camera, settings, parts))
    else if (!isDeepStrictEqual(watch.camera, camera)) watch.change(camera)
  }
}
