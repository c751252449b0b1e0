/** A name server for tests, with a configured behaviour for each name. Messages follow RFC 1035. */
import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:net'
import { listen } from '#test/support/processes.ts'

/** Section 4.1.1: a response, recursion available; one question. */
const FLAGS = 0x8180
const HEADER_BYTES = 12

/** Record type of an IPv4 address. */
const TYPE_A = 1

/** Response codes of section 4.1.1. */
const CODES = { servfail: 2, nxdomain: 3, refused: 5 } as const
const TRUNCATED = 0x0200

/** The name of the question, as data of a record. */
const SAME_NAME = Buffer.from([0xc0, HEADER_BYTES])

/** A record of the requested name with TTL 0. */
function record(type: number, data: Buffer) {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([SAME_NAME, head, data])
}

/** A record of an IPv4 address. */
const addressRecord = (address: string) => record(TYPE_A, Buffer.from(address.split('.').map(Number)))

/** A response: the question followed by these records. */
function response(query: Buffer, code: number, records: readonly Buffer[], flags = 0) {
  const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5)
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  for (const [at, word] of [FLAGS | flags | code, 1, records.length, 0, 0].entries())
    header.writeUInt16BE(word, 2 + 2 * at)
  return Buffer.concat([header, question, ...records])
}

/** Name in lower case and record type of a query. */
function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1) }
}

/** Behaviour for a name: no answer, a response code, addresses, or a special case of `nameServer`. */
export type Manner = 'silent' | keyof typeof CODES | 'loop' | 'cut' | readonly string[]

/**
 * Answers names over UDP and TCP. `loop` is a CNAME of itself. `cut` is truncated over UDP, and TCP closes the connection.
 * More than 20 addresses are truncated over UDP and complete over TCP. Other names do not exist.
 */
export async function nameServer(manners: Readonly<Record<string, Manner>>) {
  const asked: string[] = []
  const answerTo = (query: Buffer, isUdp: boolean) => {
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
async function listenOnBoth(tcp: Server, udp: Socket) {
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
