/** The door of the edge: what goes through it, and what it does when it closes. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { openDoor } from '../../commands/door.ts'

/** A door, and those that came through it, on the inside. */
async function open() {
  const inside: Socket[] = []
  const server = createServer({ allowHalfOpen: true }, socket => {
    inside.push(socket.on('error', () => {}))
    server.emit('came')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of inside) socket.destroy()
    server.close()
  })
  const door = await openDoor({ host: '127.0.0.1', port: 0 }, (server.address() as AddressInfo).port)
  /** Both ends of a new connection. */
  const come = async (): Promise<[Socket, Socket]> => {
    const came = once(server, 'came')
    const socket = connect({ port: door.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await came
    return [socket, inside.at(-1)!]
  }
  const refused = async () => {
    const [error] = await once(connect(door.port, '127.0.0.1'), 'error').catch(error => [error])
    return error.code
  }
  return { door, come, refused }
}

const LARGE = Buffer.alloc(20 * 2 ** 20, 'what a photo and its answer weigh')

it('passes on all that either side says, also what is said after the other has ended', async () => {
  const { come } = await open()
  const [caller, edge] = await come()
  caller.end(LARGE)
  expect((await buffer(edge)).equals(LARGE)).toBe(true)
  edge.end(LARGE)
  expect((await buffer(caller)).equals(LARGE)).toBe(true)
})

it('breaks one side where the other breaks', async () => {
  const { come } = await open()
  for (const which of [0, 1] as const) {
    const pair = await come()
    const broken = once(pair[1 - which]!.resume(), 'never').catch(({ code }) => code)
    pair[which].resetAndDestroy()
    expect(await broken).toBe('ECONNRESET')
  }
})

it('keeps nobody who does not hang up after the edge has', async () => {
  const { come } = await open()
  const [caller, edge] = await come()
  const broken = once(caller.resume(), 'never').catch(({ code }) => code)
  edge.end('an answer')
  await once(caller, 'end')
  const speaking = setInterval(() => caller.write('more'), 20)
  expect(['ECONNRESET', 'EPIPE']).toContain(await broken)
  clearInterval(speaking)
})

it('refuses who comes once it is closed, and lets those finish who are inside', async () => {
  const { door, come, refused } = await open()
  const [caller, edge] = await come()
  let isEmpty = false
  const closed = door.close().then(() => (isEmpty = true))
  expect(await refused()).toBe('ECONNREFUSED')
  caller.end('a question')
  expect(String(await buffer(edge))).toBe('a question')
  expect(isEmpty).toBe(false)
  edge.end('its answer')
  expect(String(await buffer(caller))).toBe('its answer')
  await closed
})

it('waits for nobody in vain: neither where nobody is, nor for those who say nothing', async () => {
  const empty = await open()
  await empty.door.close()
  const { door, come } = await open()
  const [caller, edge] = await come()
  await door.close()
  caller.write('after all')
  expect(String((await once(edge, 'data'))[0])).toBe('after all')
})
