/** Bounds the connections of an HTTP server: in total, of each address, and the requests on each. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../network/addresses.ts'

interface ConnectionBounds {
  connections: number
  /** Connections of one IPv4 address or one IPv6 /64 network. */
  connectionsPerAddress: number
  /** Unanswered requests of one connection. */
  pipelined: number
}

interface Connection {
  network: string
  /** Unanswered requests. */
  requests: number
}

/**
 * When an address or the server has all its connections, a new connection replaces the one that waits longest for a request. Idle
 * callers then do not block active ones. Without a waiting connection, the new one ends. An address for which `isProxy` returns
 * true has no share: its connections belong to many callers.
 */
export function boundConnections(
  server: Server,
  { connections, connectionsPerAddress, pipelined }: ConnectionBounds,
  isProxy: (address: string | undefined) => boolean = () => false,
): void {
  const open = new Map<Socket, Connection>()
  const shares = new Map<string, number>()
  /** Connections without a request, the longest wait first. */
  const waiting = new Set<Socket>()

  const forget = (socket: Socket) => {
    const connection = open.get(socket)
    if (!connection) return
    open.delete(socket)
    waiting.delete(socket)
    const { network } = connection
    const left = shares.get(network)! - 1
    if (left === 0) shares.delete(network)
    else shares.set(network, left)
  }

  /** Ends the longest waiting connection, of this network if one is given. False when there is none. */
  const makeRoom = (network: string | undefined) => {
    for (const socket of waiting) {
      if (network !== undefined && open.get(socket)?.network !== network) continue
      forget(socket)
      socket.destroy()
      return true
    }
    return false
  }

  filter(server, 'connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress)
    const share = shares.get(network) ?? 0
    const isShareFull = share >= connectionsPerAddress && !isProxy(socket.remoteAddress)
    if ((isShareFull || open.size >= connections) && !makeRoom(isShareFull ? network : undefined)) {
      socket.destroy()
      return false
    }
    open.set(socket, { network, requests: 0 })
    shares.set(network, (shares.get(network) ?? 0) + 1)
    waiting.add(socket)
    socket.once('close', () => forget(socket))
    return true
  })

  filter(server, 'request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket)
    // Node does not bound the requests that are sent without waiting for answers.
    if (!connection || connection.requests >= pipelined) {
      socket.destroy()
      return false
    }
    connection.requests++
    waiting.delete(socket)
    response.once('close', () => {
      connection.requests--
      if (connection.requests === 0 && open.has(socket)) waiting.add(socket)
    })
    return true
  })
}

/** Passes an event to the present listeners of a server only if `admits` returns true. */
function filter<Args extends unknown[]>(
  server: Server,
  event: 'connection' | 'request',
  admits: (...args: Args) => boolean,
) {
  const listeners = server.listeners(event)
  server.removeAllListeners(event)
  server.on(event, (...args: unknown[]) => {
    if (admits(...(args as Args))) for (const listener of listeners) listener.apply(server, args)
  })
}
