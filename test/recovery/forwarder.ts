/** A TCP forwarder in front of core that closes, or loses answers. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface Forwarder {
  url: string
  /** Paths of the forwarded requests, without readiness probes. */
  asked: string[]
  /** Whether the connection is cut when core begins to answer a request for this path. */
  losesAnswer: (path: string) => boolean
  /** Closes all connections and the port. */
  cut(): Promise<void>
  /** Listens again on the same port. */
  mend(): Promise<void>
}

/** Starts a forwarder to the core at this origin; it stops with the test. */
export async function startForwarder(target: string): Promise<Forwarder> {
  const open = new Set<Socket>()
  let server: Server
  let port = 0

  const forward = (edge: Socket): void => {
    const core = connect(Number(new URL(target).port), '127.0.0.1')
    let isLost = false
    for (const socket of [edge, core]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        edge.destroy()
        core.destroy()
      })
    }
    edge.on('data', (bytes: Buffer) => {
      const path = /^(?:POST|GET) (\S+) /.exec(bytes.toString('latin1', 0, 200))?.[1]
      if (path !== undefined && path !== '/internal/ready') {
        forwarder.asked.push(path)
        isLost = forwarder.losesAnswer(path)
      }
      core.write(bytes)
    })
    core.on('data', (bytes: Buffer) => {
      if (isLost) edge.resetAndDestroy()
      else edge.write(bytes)
    })
  }

  const listen = async (): Promise<void> => {
    server = createServer(forward).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const cut = async (): Promise<void> => {
    const closed = new Promise(resolve => server.close(resolve))
    for (const socket of open) socket.resetAndDestroy()
    await closed
  }

  await listen()
  onTestFinished(cut)
  const forwarder: Forwarder = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    losesAnswer: () => false,
    cut,
    mend: listen,
  }
  return forwarder
}
