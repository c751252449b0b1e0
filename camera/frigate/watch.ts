/** Follows Frigate's events over MQTT, and posts the best face of each one. */
import { once } from 'node:events'
import type { Camera, Face, MienClient } from '../../clients/typescript/src/index.ts'
import { environment, sleep } from '../../contract/environment.ts'
import { frigateCamera } from '../../contract/model/camera-url.ts'
import type { Log } from '../../core/log.ts'
import { openAnalyzer } from '../analysis/analyzer.ts'
import { type CameraList, LIST_EVERY_MS, openCameraList } from '../camera-list.ts'
import { backOffMs, pause } from '../frames/back-off.ts'
import { type Broker, connectBroker } from '../mqtt/broker/connection.ts'
import { failureOf } from '../mqtt/broker/failure.ts'
import { LAST_POST_MS, openOutbox } from '../outbox.ts'
import type { VisitEvent } from '../visit-event.ts'
import { fetchSnapshot, nameEvent, readMessage } from './message.ts'
import { type OpenEvents, openEvents } from './open-events.ts'

interface FrigateSettings {
  broker: Broker
  /** Origin of Frigate's API, which needs no login. */
  frigate: string
  /** Frigate's `topic_prefix`. */
  topic: string
  /** Whether Frigate gets the names of persons. */
  sendsNames: boolean
  /** Cameras with this `detector` are watched. Absent: those without one. */
  detector?: string
  /** Worker threads of the analysis. */
  threads: number
  leastSide: number
  leastQuality: number
}

/** Bytes of a message: the broker sends no larger one. */
const MAX_MESSAGE_BYTES = 256 * 1024

/** A connection that lasted this long in milliseconds was sound: the next pause is the shortest again. */
const SOUND_CONNECTION_MS = 30_000

/** Watches until the signal aborts. Rejects when the first reading of the list of cameras fails. */
export async function watchFrigate(
  client: MienClient,
  settings: FrigateSettings,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const list = await openCameraList(client, log, signal)
  const cameras = () => idsOf(list.cameras, settings.detector)
  const analyzer = await openAnalyzer(settings.threads)
  let naming = Promise.resolve()
  const onEnd = ({ camera, track }: VisitEvent, face: Face | undefined) => {
    if (!settings.sendsNames || !face?.meta) return
    naming = naming
      .then(() => nameEvent(settings.frigate, track, face.meta))
      .catch(() => log('name refused', { camera, track }))
  }
  const outbox = openOutbox(client, log, { onEnd })
  const { leastSide, leastQuality } = settings
  const events = openEvents({
    analyzer,
    onVisit: outbox.add,
    log,
    leastSide,
    leastQuality,
    fetchSnapshot: id => fetchSnapshot(settings.frigate, id, signal),
  })
  log('watching', { cameras: cameras().size, threads: settings.threads })
  void followList(list, signal)
  try {
    await listen(settings, cameras, events, log, signal)
  } finally {
    await events.endAll()
    const lost = await outbox.close(LAST_POST_MS)
    await Promise.race([naming, sleep(LAST_POST_MS, { ref: false })])
    await analyzer.close()
    log('stopped', { lost })
  }
}

async function followList(list: CameraList, signal: AbortSignal) {
  while (!signal.aborted) {
    await pause(LIST_EVERY_MS, signal)
    await list.refresh()
  }
}

/** Ids of the service's cameras by the name of Frigate's. */
type CameraIds = ReadonlyMap<string, string>

const idsOf = (cameras: readonly Camera[], detector: string | undefined): CameraIds =>
  new Map(
    cameras
      .filter(camera => camera.enabled && (camera.detector || undefined) === detector)
      .flatMap(({ id, url }) => {
        const name = frigateCamera(url)
        return name === undefined ? [] : [[name, id] as const]
      }),
  )

/** Connects again after each failure. Frigate does not repeat missed messages: open events end with the connection. */
async function listen(
  settings: FrigateSettings,
  cameras: () => CameraIds,
  events: OpenEvents,
  log: Log,
  signal: AbortSignal,
) {
  for (let failures = 0; !signal.aborted; ) {
    const start = environment.monotonic()
    await hear(settings, cameras, events, log, signal).catch(error => {
      if (signal.aborted) return
      const { reason, advice } = failureOf(error)
      log('broker away', { reason, advice })
    })
    await events.endAll()
    if (environment.monotonic() - start > SOUND_CONNECTION_MS) failures = 0
    await pause(backOffMs(failures++), signal)
  }
}

/** Takes the messages of one connection. Rejects when it is lost. Resolves when the signal aborts. */
async function hear(
  { broker, topic }: FrigateSettings,
  cameras: () => CameraIds,
  events: OpenEvents,
  log: Log,
  signal: AbortSignal,
) {
  const clientId = `mien-frigate-${environment.id()}`
  const connection = await connectBroker(broker, { clientId, maxBytes: MAX_MESSAGE_BYTES }, signal)
  try {
    connection.onMessage(received => {
      // Frigate has started or stopped. It sends no end of the events before.
      if (received.topic !== `${topic}/events`) return void events.endAll()
      const message = readMessage(received.payload)
      if (message === 'malformed') return log('message malformed')
      if (message === 'other') return
      const camera = cameras().get(message.camera)
      if (camera !== undefined) events.take(message, camera)
    })
    await connection.subscribe([`${topic}/events`, `${topic}/available`], 1)
    log('broker connected')
    const end = AbortSignal.any([signal, connection.lost])
    if (!end.aborted) await once(end, 'abort')
    if (!signal.aborted) throw end.reason
  } finally {
    await connection.close()
  }
}
