/** Messages of DNS (RFC 1035), for name servers of tests. */

/** RFC 1035, 4.1.1: a response, recursion available; one question. */
const FLAGS = 0x8180
const HEADER_BYTES = 12

/** Record type of an IPv4 address. */
export const TYPE_A = 1

/** Response codes of RFC 1035, 4.1.1. */
export const CODES = { fine: 0, servfail: 2, nxdomain: 3, refused: 5 } as const
export const TRUNCATED = 0x0200

/** The name of the question, as data of a record. */
export const SAME_NAME = Buffer.from([0xc0, HEADER_BYTES])

/** A record of the requested name with TTL 0. */
export function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([SAME_NAME, head, data])
}

/** A record of an IPv4 address. */
export const addressRecord = (address: string): Buffer =>
  record(TYPE_A, Buffer.from(address.split('.').map(Number)))

/** A response: the question followed by these records. */
export function response(query: Buffer, code: number, records: readonly Buffer[], flags = 0): Buffer {
  const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5)
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  for (const [at, word] of [FLAGS | flags | code, 1, records.length, 0, 0].entries())
    header.writeUInt16BE(word, 2 + 2 * at)
  return Buffer.concat([header, question, ...records])
}

/** Name in lower case and record type of a query. */
export function questionOf(query: Buffer): { name: string; type: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1) }
}
