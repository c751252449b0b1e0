/** Bounds of connections, with a real server and callers at several addresses of loopback. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { boundConnections } from '#core/http/connections.ts'
import { listen } from '#test/support/processes.ts'

const BOUNDS = { connections: 4, connectionsPerAddress: 2, pipelined: 2 }
const PROXY = '127.0.0.9'

/** Returns a function that connects from an address. */
async function bounded(listener: RequestListener) {
  const server = createServer(listener)
  boundConnections(server, BOUNDS, address => address === PROXY)
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return async (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await Promise.all([once(socket, 'connect'), once(server, 'connection')])
    return socket
  }
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

const ask = (socket: Socket): Promise<unknown> => {
  socket.write(GET)
  return once(socket, 'data')
}

const ended = (socket: Socket): Promise<unknown> => once(socket.resume(), 'close')

it('a new connection of an address with its share ends the one that waits longest for a request', async () => {
  const from = await bounded((_, response) => void response.end('{}'))
  const [other, answered, dripping] = [
    await from('127.0.0.3'),
    await from('127.0.0.2'),
    await from('127.0.0.2'),
  ]
  await ask(answered)
  dripping.write('GET / HTTP/1.1\r\nX: ')
  const [third] = await Promise.all([from('127.0.0.2'), ended(dripping)])
  await Promise.all([answered, third, other].map(ask))
})

it('a new connection beyond the bound of the server ends the one that waits longest, of any address', async () => {
  const from = await bounded((_, response) => void response.end('{}'))
  const first = await from('127.0.0.2')
  for (let address = 3; address < 6; address++) await ask(await from(`127.0.0.${address}`))
  const [last] = await Promise.all([from('127.0.0.6'), ended(first)])
  await ask(last)
})

it('a new connection ends when all connections of its address have requests', async () => {
  let requests = 0
  const from = await bounded(() => void requests++)
  for (const socket of [await from('127.0.0.2'), await from('127.0.0.2')]) socket.write(GET)
  await expect.poll(() => requests).toBe(2)
  await ended(await from('127.0.0.2'))
})

it('the connections of a proxy have only the bound of the server', async () => {
  const from = await bounded((_, response) => void response.end('{}'))
  const sockets = [await from(PROXY), await from(PROXY), await from(PROXY), await from(PROXY)]
  await Promise.all(sockets.map(ask))
})
