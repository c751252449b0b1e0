/** A whole site of one camera: the service, a stream, a watcher, a receiver of webhooks, a broker and `mien mqtt`. */
import { connectAsync } from 'mqtt'
import { clientOf } from '../../harness/client.ts'
import { type Broker, startBroker } from '../../harness/mosquitto.ts'
import { freePort } from '../../harness/processes.ts'
import { type RtspServer, startRtspServer } from '../../harness/rtsp-server.ts'
import { type Service, startService } from '../../harness/service.ts'
import type { Ledger } from './ledger.ts'
import { type LoggedCommand, startLogged } from './logged-command.ts'
import { visitClip } from './visit-clip.ts'
import { type WebhookSink, webhookSink } from './webhook-sink.ts'

/** Three people come every 6 seconds, and are away for longer than the absence that ends a visit. */
const CLIP = { people: 3, seconds: 6, size: '960x640', sample: 1 } as const
const ABSENCE_SECONDS = 1

/** An event of the watcher, and the track of its face. */
export interface StoredFace {
  id: number
  track: string
}

export interface Site {
  readonly service: Service
  readonly receiver: WebhookSink
  readonly broker: Broker
  watcher(): LoggedCommand
  /** Kills the watcher, and starts another one. */
  replaceWatcher(): Promise<void>
  cutStream(): void
  openStream(): Promise<void>
  /** Faces of the camera by its history. */
  stored(): Promise<StoredFace[]>
  close(): Promise<void>
}

/** Starts the site in the folder. `fault` names the present fault for the ledger. */
export async function startSite(folder: string, ledger: Ledger, fault: () => string): Promise<Site> {
  const receiverPort = await freePort()
  const service = await startService({
    env: { MIEN_PERSON_IDENTIFY: 'true', MIEN_WEBHOOK_HOSTS: `127.0.0.1:${receiverPort}` },
  })
  const send = clientOf(service.edge, service.token)
  const rule = await send('POST', '/v1/alerts', { url: `http://127.0.0.1:${receiverPort}/faces` })
  const receiver = webhookSink(
    receiverPort,
    () => rule.body.secret,
    (face, id) => ledger.deliver('webhooks', face, id),
  )
  await receiver.open()

  const broker = await startBroker(folder, ['allow_anonymous true'])
  const brokerUrl = `mqtt://127.0.0.1:${broker.port}`
  const subscriber = await subscribe(brokerUrl, ledger)
  const address = { MIEN_URL: service.edge, MIEN_TOKEN: service.token }
  const bridge = startLogged(['mqtt', '--broker', brokerUrl, '--no-discovery'], address, () => {})

  const clip = await visitClip(folder, 'visits', CLIP)
  let stream: RtspServer = await startRtspServer(clip)
  const { port } = new URL(stream.url)
  const { body: camera } = await send('POST', '/v1/camera', { meta: 'front door', url: stream.url })
  const startWatcher = () =>
    startLogged(['watch', '--threads', '1', '--absence', String(ABSENCE_SECONDS)], address, line => {
      if (line.event === 'visit posted') ledger.acknowledge(Number(line.face), fault())
    })
  let watcher = startWatcher()

  return {
    ...{ service, receiver, broker },
    watcher: () => watcher,
    async replaceWatcher() {
      await watcher.stop('SIGKILL')
      watcher = startWatcher()
    },
    cutStream: () => stream.close(),
    async openStream() {
      stream = await startRtspServer(clip, Number(port))
    },
    async stored() {
      const found: StoredFace[] = []
      for (let next: string | null = `/v1/faces?cam_id=${camera.id}`; next !== null; ) {
        const { body } = await send('GET', next)
        for (const { id, detector_info } of body.results) found.push({ id, track: detector_info.track })
        next = body.next_page
      }
      return found
    },
    async close() {
      await watcher.stop('SIGTERM')
      await bridge.stop('SIGTERM')
      await subscriber.endAsync(true)
      stream.close()
      receiver.close()
      await broker.kill()
      await service.stop()
      await service.remove()
    },
  }
}

/** Hears all events. The broker keeps what the subscriber misses. */
async function subscribe(url: string, ledger: Ledger) {
  const client = await connectAsync(url, { clientId: 'camera-faults', clean: false, reconnectPeriod: 200 })
  client.on('error', () => {})
  client.on('message', (_topic, payload) => {
    const { id, face } = JSON.parse(payload.toString())
    ledger.deliver('messages', face.id, id)
  })
  await client.subscribeAsync('mien/camera/+/event', { qos: 1 })
  return client
}
