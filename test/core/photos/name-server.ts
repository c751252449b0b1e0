/** A name server that changes its mind: each question about an address gets the next of its answers. */
import { createSocket } from 'node:dgram'
import { type LookupAddress, promises } from 'node:dns'
import { onTestFinished } from 'vitest'

/** RFC 1035, 4.1.1: a response, recursion available; one question, one answer. */
const FLAGS = 0x8180
const HEADER_BYTES = 12

/** Resolves names by asking it over UDP, as a resolver without a cache does. The last answer stays. */
export async function changingNameServer(answers: readonly string[]) {
  let asked = 0
  const server = createSocket('udp4')
  server.on('message', (query, { port, address }) => {
    const answer = answers[Math.min(asked++, answers.length - 1)]!
    server.send(responseTo(query, answer), port, address)
  })
  await new Promise<void>(resolve => server.bind(0, '127.0.0.1', resolve))
  const resolver = new promises.Resolver()
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  onTestFinished(() => {
    server.close()
  })
  return {
    asked: () => asked,
    resolve: async (host: string): Promise<LookupAddress[]> =>
      (await resolver.resolve4(host)).map(address => ({ address, family: 4 })),
  }
}

/** The question, and an A record for it that may not be kept. */
function responseTo(query: Buffer, address: string): Buffer {
  const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5)
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  for (const [at, word] of [FLAGS, 1, 1, 0, 0].entries()) header.writeUInt16BE(word, 2 + 2 * at)
  const record = Buffer.from([
    0xc0,
    HEADER_BYTES,
    0,
    1,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    4,
    ...address.split('.').map(Number),
  ])
  return Buffer.concat([header, question, record])
}
