/** An address of core that can be taken away: a TCP forwarder that freezes, cuts, delays, or loses the answers to what it passed on. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Forwarder {
  url: string
  /** Paths of the questions that came by, looks aside. */
  asked: string[]
  /** Says of each path whether the connection is cut as soon as core begins to answer. */
  losesAnswer: (path: string) => boolean
  /** Milliseconds that an answer takes on its way. */
  delay: number
  /** From now on nothing goes through, and connections stay. */
  freeze(): void
  thaw(): void
  /** Cuts all connections, and listens no more. */
  cut(): Promise<void>
  /** Listens again where it did. */
  mend(): Promise<void>
}

/** Stands before the core at this origin until the test is over. */
export async function startForwarder(target: string): Promise<Forwarder> {
  const open = new Set<Socket>()
  let server: Server
  let isFrozen = false
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
      else setTimeout(() => edge.write(bytes), forwarder.delay)
    })
    if (isFrozen) for (const socket of [edge, core]) socket.pause()
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
    delay: 0,
    freeze() {
      isFrozen = true
      for (const socket of open) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of open) socket.resume()
    },
    cut,
    mend: listen,
  }
  return forwarder
}
