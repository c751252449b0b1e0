/** Hostile callers: connections that send no request. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Pause between two bytes of a connection, and before a connection that was ended is opened again. */
const BYTE_MS = 1_000
const AGAIN_MS = 10_000

/** Connections that are opened at once, which fit into the queue of a server, and time for the server to accept them. */
const AT_ONCE = 256
const ACCEPT_MS = 20

/**
 * Holds so many connections from an address that send headers a byte at a time, and opens each again that is ended. Resolves when each was opened or refused once,
 * with a function that ends them.
 */
export async function holdConnections(
  edge: string,
  localAddress: string,
  count: number,
): Promise<() => void> {
  const { port } = new URL(edge)
  const sockets = new Set<Socket>()
  let isStopped = false
  const hold = (onFirst: () => void): void => {
    if (isStopped) return
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
    sockets.add(socket)
    socket.write('GET / HTTP/1.1\r\nX: ')
    const dripping = setInterval(() => socket.write('a'), BYTE_MS)
    socket.resume().on('error', () => {})
    socket.once('connect', onFirst)
    socket.once('close', () => {
      clearInterval(dripping)
      sockets.delete(socket)
      onFirst()
      setTimeout(hold, AGAIN_MS, onFirst).unref()
    })
  }
  for (let left = count; left > 0; left -= AT_ONCE) {
    const length = Math.min(left, AT_ONCE)
    await Promise.all(Array.from({ length }, () => new Promise<void>(resolve => hold(resolve))))
    await sleep(ACCEPT_MS)
  }
  return () => {
    isStopped = true
    for (const socket of sockets) socket.destroy()
  }
}
