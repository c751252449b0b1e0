/** A TCP proxy in front of the API that cuts connections at random times: before, during and after the answer. */
import { randomInt } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  origin: string
  /** Number of cut connections. */
  cuts(): number
  close(): void
}

/** Starts a proxy that cuts about two of three requests. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let cuts = 0
  const server = createServer(client => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    cutAtRandom(client, upstream, () => cuts++)
    client.pipe(upstream)
    upstream.pipe(client)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** When a request is cut: after so many bytes of it, of its answer, or after a time. */
interface Fate {
  request: number
  answer: number
  milliseconds: number
}

const SPARED: Fate = { request: Infinity, answer: Infinity, milliseconds: Infinity }

const FATES: readonly (() => Partial<Fate>)[] = [
  () => ({ request: randomInt(10_000) }),
  () => ({ answer: randomInt(1_000) }),
  // From one millisecond to a second, on a logarithmic scale: some hit a request on any machine.
  () => ({ milliseconds: 2 ** (randomInt(1_000) / 100) }),
  () => ({ milliseconds: 2 ** (randomInt(1_000) / 100) }),
  () => ({}),
  () => ({}),
]

function cutAtRandom(client: Socket, upstream: Socket, onCut: () => void): void {
  let fate = SPARED
  const cut = (): void => {
    if (client.destroyed) return
    onCut()
    client.resetAndDestroy()
  }
  client.on('data', (bytes: Buffer) => {
    // A connection serves several requests.
    if (bytes.toString('latin1', 0, 5) === 'POST ') {
      fate = { ...SPARED, ...FATES[randomInt(FATES.length)]?.() }
      if (fate.milliseconds < Infinity) setTimeout(cut, fate.milliseconds)
    }
    fate.request -= bytes.length
    if (fate.request < 0) cut()
  })
  upstream.on('data', (bytes: Buffer) => {
    fate.answer -= bytes.length
    if (fate.answer < 0) cut()
  })
}
