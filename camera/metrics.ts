/** Serves metrics of this watcher's cameras in the text format of Prometheus. docs/monitoring.md lists them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Counter, Gauge, Registry } from 'prom-client'
import { CAMERA_LIMITS } from '../contract/limits/cameras.ts'
import type { CameraWatch } from './camera.ts'

export interface MetricsAddress {
  host: string
  port: number
}

/** State that the metrics show. */
interface WatcherState {
  /** Cameras that the watcher holds, by id. */
  held: ReadonlyMap<string, { watch: Pick<CameraWatch, 'meter'> }>
  /** Number of events that wait. */
  waiting(): number
}

/** Listens until `close`. Rejects when the port is taken. */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  state: WatcherState,
): Promise<{ close(): Promise<void> }> {
  const registry = metricsOf(state)
  const server = createServer(async (request, response) => {
    const isMetrics = request.url?.split('?')[0] === '/metrics' && request.method === 'GET'
    const text = isMetrics ? await registry.metrics() : 'Not found.\n'
    const type = isMetrics ? registry.contentType : 'text/plain'
    response.writeHead(isMetrics ? 200 : 404, { 'content-type': type }).end(text)
  })
  // Rejects with an `error` event.
  await once(server.listen(port, host), 'listening')
  return {
    async close() {
      server.close().closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Metrics that are read when Prometheus asks. Series of cameras that the watcher has left disappear. */
function metricsOf({ held, waiting }: WatcherState): Registry {
  const registry = new Registry()
  const registers = [registry]
  const gauge = (name: string, help: string, measure: (watch: Pick<CameraWatch, 'meter'>) => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      labelNames: ['camera'],
      collect() {
        this.reset()
        for (const [camera, { watch }] of held) this.set({ camera }, measure(watch) ?? Number.NaN)
      },
    })
  const counter = (name: string, help: string, count: 'frames' | 'dropped' | 'losses' | 'visits') =>
    new Counter({
      name,
      help,
      registers,
      labelNames: ['camera'],
      collect() {
        this.reset()
        for (const [camera, { watch }] of held) this.inc({ camera }, watch.meter.counts()[count])
      },
    })
  gauge('mien_camera_live', '1 while frames arrive.', ({ meter }) => {
    const { frame_age: age } = meter.report()
    return age !== null && age * 1_000 <= CAMERA_LIMITS.liveMs ? 1 : 0
  })
  gauge(
    'mien_camera_frame_age_seconds',
    'Seconds since the last frame.',
    ({ meter }) => meter.report().frame_age,
  )
  gauge(
    'mien_camera_behind_seconds',
    'Greatest delay of a frame in the last minute, if above 2 seconds.',
    ({ meter }) => meter.report().behind ?? 0,
  )
  gauge('mien_camera_slow', '1 while fewer than half of the wanted frames are searched.', ({ meter }) =>
    Number(meter.isSlow()),
  )
  counter('mien_camera_frames_total', 'Frames that arrived.', 'frames')
  counter(
    'mien_camera_frames_dropped_total',
    'Frames that newer ones replaced before their analysis.',
    'dropped',
  )
  counter('mien_camera_losses_total', 'Ends of the stream.', 'losses')
  counter('mien_camera_visits_total', 'Visits that were reported.', 'visits')
  new Gauge({
    name: 'mien_watcher_events_waiting',
    help: 'Events that wait for the service.',
    registers,
    collect() {
      this.set(waiting())
    },
  })
  return registry
}
