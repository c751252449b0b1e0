/** A TCP forwarder in front of core that closes. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface Forwarder {
  url: string
  /** Paths of the forwarded requests, without readiness probes. */
  asked: string[]
  /** Closes all connections and the port. */
  cut(): Promise<void>
  /** Listens again on the same port. */
  mend(): Promise<void>
}

/** Starts a forwarder to the core at this origin; it stops with the test. */
export async function startForwarder(target: string): Promise<Forwarder> {
  const open = new Set<Socket>()
  const asked: string[] = []
  let server: Server
  let port = 0

  const forward = (edge: Socket) => {
    const core = connect(Number(new URL(target).port), '127.0.0.1')
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
      if (path !== undefined && path !== '/internal/ready') asked.push(path)
      core.write(bytes)
    })
    core.on('data', bytes => edge.write(bytes))
  }

  const listen = async () => {
    server = createServer(forward).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const cut = async () => {
    const closed = new Promise(resolve => server.close(resolve))
    for (const socket of open) socket.resetAndDestroy()
    await closed
  }

  await listen()
  onTestFinished(cut)
  return { url: `http://127.0.0.1:${port}`, asked, cut, mend: listen }
}
