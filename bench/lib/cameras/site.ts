/** A whole site of one camera: the service, a stream, a watcher, a receiver of webhooks, a broker and `mien mqtt`; and its faults. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsync } from 'mqtt'
import { Webhook } from 'standardwebhooks'
import { AlertMessageSchema } from '#contract/model/alert.ts'
import { type Broker, startBroker } from '../../harness/mosquitto.ts'
import { descendantOf, descendantsOf, freePort } from '../../harness/processes.ts'
import { startRtspServer } from '../../harness/rtsp-server.ts'
import type { Rig, Served } from '../../rig.ts'
import { type Listed, listed } from '../listed.ts'
import type { Ledger } from './ledger.ts'
import { visitClip } from './visit-clips.ts'
import { startLogged } from './watching.ts'

/** Seconds of a visit, and until the next one: longer than the absence that ends it. */
const VISIT = 3
const AWAY = 3
const ABSENCE = 1

export interface Site {
  readonly service: Served
  readonly receiver: WebhookSink
  readonly broker: Broker
  /** Process id of the watcher. */
  watcher(): number
  /** Kills the watcher, and starts another one. */
  replaceWatcher(): Promise<void>
  cutStream(): void
  openStream(): Promise<void>
  /** Faces of the camera by its history. */
  stored(): Promise<Listed[]>
}

/** Starts the site. `fault` names the present fault for the ledger. */
export async function startSite(rig: Rig, ledger: Ledger, fault: () => string): Promise<Site> {
  const receiverPort = await freePort()
  const service = await rig.service({
    env: { MIEN_PERSON_IDENTIFY: 'true', MIEN_WEBHOOK_HOSTS: `127.0.0.1:${receiverPort}` },
  })
  const { send } = service
  const rule = await send('POST', '/v1/alerts', { url: `http://127.0.0.1:${receiverPort}/faces` })
  const receiver = webhookSink(receiverPort, rule.body.secret, ledger)
  await receiver.open()
  rig.defer(() => receiver.close())

  const broker = await startBroker(await rig.folder(), ['allow_anonymous true'])
  rig.defer(() => broker.kill())
  const brokerUrl = `mqtt://127.0.0.1:${broker.port}`
  const subscriber = await subscribe(brokerUrl, ledger)
  rig.defer(() => subscriber.endAsync(true))
  const bridge = startLogged(service, ['mqtt', '--broker', brokerUrl, '--no-discovery'])
  rig.defer(() => bridge.stop('SIGTERM'))

  const clip = await visitClip(await rig.folder(), VISIT, AWAY)
  let stream = await startRtspServer(clip)
  rig.defer(() => stream.close())
  const { url } = stream
  const { body: camera } = await send('POST', '/v1/camera', { meta: 'front door', url })
  const startWatcher = () =>
    startLogged(service, ['watch', '--threads', '1', '--absence', String(ABSENCE)], line => {
      if (line.event === 'visit posted') ledger.acknowledge(Number(line.face), fault())
    })
  let watcher = startWatcher()
  rig.defer(() => watcher.stop('SIGTERM'))
  return {
    ...{ service, receiver, broker },
    watcher: () => watcher.pid,
    async replaceWatcher() {
      await watcher.stop('SIGKILL')
      watcher = startWatcher()
    },
    cutStream: () => stream.close(),
    async openStream() {
      stream = await startRtspServer(clip, Number(new URL(url).port))
    },
    stored: () => listed(send, `cam_id=${camera.id}`),
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

/** A receiver of webhooks that can be cut off. It takes signed messages only. */
interface WebhookSink {
  open(): Promise<void>
  /** Ends all connections and refuses new ones. */
  close(): void
  /** Messages whose signature was wrong. */
  unsigned(): number
}

function webhookSink(port: number, secret: string, ledger: Ledger): WebhookSink {
  let server: Server | undefined
  let unsigned = 0
  return {
    async open() {
      server = createServer(async (request, response) => {
        request.on('error', () => {})
        let body = ''
        try {
          for await (const part of request.setEncoding('utf8')) body += part
          new Webhook(secret).verify(body, request.headers as Record<string, string>)
        } catch {
          if (request.complete) unsigned++
          return void response.writeHead(400).end()
        }
        const { face } = AlertMessageSchema.parse(JSON.parse(body)).data
        if (face) ledger.deliver('webhooks', face.id as number, String(request.headers['webhook-id']))
        response.writeHead(204).end()
      })
      await once(server.listen(port, '127.0.0.1'), 'listening')
    },
    close() {
      server?.closeAllConnections()
      server?.close()
    },
    unsigned: () => unsigned,
  }
}

/** How long a part is away that nothing starts again by itself, in milliseconds. */
const AWAY_MS = 2_000

/** How long core runs between two kills: `mien start` gives a core up that dies three times within 10 seconds of its start. */
const CORE_LIFETIME_MS = 11_000

/** Kills of one part each; the part comes again. */
export const FAULTS: Readonly<Record<string, (site: Site) => Promise<void>>> = {
  async stream(site) {
    site.cutStream()
    await sleep(AWAY_MS)
    await site.openStream()
  },
  async ffmpeg(site) {
    for (;;) {
      const [reader] = await descendantsOf(site.watcher(), 'image2pipe')
      if (reader !== undefined) return void process.kill(reader, 'SIGKILL')
      await sleep(100)
    }
  },
  watcher: site => site.replaceWatcher(),
  async core({ service: { pid, send } }) {
    process.kill(await descendantOf(pid, 'core/server.ts'), 'SIGKILL')
    while ((await send('GET', '/v1/cameras')).status !== 200) await sleep(100)
    await sleep(CORE_LIFETIME_MS)
  },
  async broker({ broker }) {
    await broker.kill()
    await sleep(AWAY_MS)
    await broker.start()
  },
  async receiver({ receiver }) {
    receiver.close()
    await sleep(AWAY_MS)
    await receiver.open()
  },
}
