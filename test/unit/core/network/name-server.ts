/** Name servers for tests: one that changes its answer, and one with a configured behaviour per name. */
import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from '#test/support/processes.ts'
import { addressRecord, CODES, questionOf, record, response, SAME_NAME, TRUNCATED, TYPE_A } from './dns.ts'

/** Behaviour for a name: no answer, a response code, addresses, or a special case of `nameServer`. */
export type Manner = 'silent' | Exclude<keyof typeof CODES, 'fine'> | 'loop' | 'cut' | readonly string[]

/**
 * Answers names over UDP and TCP. `loop` is a CNAME of itself. `cut` is truncated over UDP, and TCP closes the connection.
 * More than 20 addresses are truncated over UDP and complete over TCP. Other names do not exist.
 */
export async function nameServer(manners: Readonly<Record<string, Manner>>) {
  const asked: string[] = []
  const answerTo = (query: Buffer, isUdp: boolean): Buffer | undefined => {
    const { name, type } = questionOf(query)
    asked.push(name)
    const manner = manners[name] ?? 'nxdomain'
    if (manner === 'silent') return undefined
    if (manner === 'loop') return response(query, 0, [record(5, SAME_NAME)])
    if (manner === 'cut') return isUdp ? response(query, 0, [], TRUNCATED) : undefined
    if (typeof manner === 'string') return response(query, CODES[manner], [])
    if (isUdp && manner.length > 20) return response(query, 0, [], TRUNCATED)
    return response(query, 0, type === TYPE_A ? manner.map(addressRecord) : [])
  }
  const tcp = createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', bytes => {
      for (const query of framesOf(bytes)) {
        const answer = answerTo(query, false)
        if (!answer) return socket.destroy()
        const length = Buffer.alloc(2)
        length.writeUInt16BE(answer.length)
        socket.write(Buffer.concat([length, answer]))
      }
    })
  })
  const udp = createSocket('udp4')
  udp.on('message', (query, { port, address }) => {
    const answer = answerTo(query, true)
    if (answer) udp.send(answer, port, address)
  })
  const port = await listenOnBoth(tcp, udp)
  onTestFinished(() => {
    udp.close()
    tcp.close()
  })
  return { servers: [`127.0.0.1:${port}`], asked }
}

/** Listens on one port over TCP and UDP. Retries when the UDP port is taken. */
async function listenOnBoth(tcp: Server, udp: Socket): Promise<number> {
  for (;;) {
    const port = await listen(tcp)
    const isBound = await new Promise<boolean>(resolve => {
      udp.once('error', () => resolve(false)).bind(port, '127.0.0.1', () => resolve(true))
    })
    if (isBound) return port
    await new Promise(resolve => tcp.close(resolve))
  }
}

/** Messages over TCP, each preceded by its length: RFC 1035, 4.2.2. */
function* framesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 2 + bytes.readUInt16BE(at))
    yield bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at))
}
