/** A collector: accepts OTLP over HTTP as Jaeger does, and decodes its protobuf messages. */
import { buffer } from 'node:stream/consumers'
import { served } from '#test/served.ts'

export interface ReceivedSpan {
  service: unknown
  scope: string
  traceId: string
  spanId: string
  parentId: string
  name: string
  attributes: Record<string, unknown>
  /** In milliseconds. */
  start: number
  end: number
}

export interface Collector {
  endpoint: string
  spans(): ReceivedSpan[]
  /** Number of exports. */
  exports(): number
  /** Everything that arrived, headers included, as text. */
  text(): string
}

/** Starts a collector that answers with this status. */
export async function startCollector(status = 200): Promise<Collector> {
  const bodies: Buffer[] = []
  const heads: string[] = []
  const endpoint = await served(async (request, response) => {
    heads.push(JSON.stringify([request.url, request.headers]))
    bodies.push(await buffer(request))
    response.writeHead(status).end()
  })
  return {
    endpoint,
    spans: () => bodies.flatMap(spansIn),
    exports: () => bodies.length,
    text: () => [...heads, ...bodies.map(body => body.toString('latin1'))].join('\n'),
  }
}

/** Values of a protobuf message by field number: numbers for varints and fixed64, else bytes. */
function fieldsOf(message: Buffer): Map<number, (Buffer | bigint)[]> {
  const fields = new Map<number, (Buffer | bigint)[]>()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const bytes = (length: number): Buffer => {
    at += length
    return message.subarray(at - length, at)
  }
  const valueOfType = (type: number): Buffer | bigint => {
    if (type === 0) return varint()
    if (type === 1) return bytes(8).readBigUInt64LE()
    if (type === 2) return bytes(Number(varint()))
    return BigInt(bytes(4).readUInt32LE())
  }
  while (at < message.length) {
    const key = Number(varint())
    const values = fields.get(key >> 3) ?? []
    fields.set(key >> 3, [...values, valueOfType(key & 7)])
  }
  return fields
}

const messages = (message: Buffer, field: number) => (fieldsOf(message).get(field) ?? []) as Buffer[]

const bytesOf = (message: Buffer, field: number): Buffer => messages(message, field)[0] ?? Buffer.alloc(0)

/** Attributes in field `field`: key 1, value 2 with a text in 1 or an integer in 3. */
function attributesOf(message: Buffer, field: number): Record<string, unknown> {
  const pairs = messages(message, field).map(pair => {
    const value = fieldsOf(bytesOf(pair, 2))
    const [text] = value.get(1) ?? []
    return [bytesOf(pair, 1).toString(), text ? (text as Buffer).toString() : Number(value.get(3)?.[0])]
  })
  return Object.fromEntries(pairs)
}

/** Spans of an ExportTraceServiceRequest, by the field numbers of opentelemetry-proto 1.x. */
const spansIn = (body: Buffer): ReceivedSpan[] =>
  messages(body, 1).flatMap(ofResource =>
    messages(ofResource, 2).flatMap(ofScope =>
      messages(ofScope, 2).map(span => {
        const time = (field: number) => Number(fieldsOf(span).get(field)![0]) / 1e6
        return {
          service: attributesOf(bytesOf(ofResource, 1), 1)['service.name'],
          scope: bytesOf(bytesOf(ofScope, 1), 1).toString(),
          traceId: bytesOf(span, 1).toString('hex'),
          spanId: bytesOf(span, 2).toString('hex'),
          parentId: bytesOf(span, 4).toString('hex'),
          name: bytesOf(span, 5).toString(),
          attributes: attributesOf(span, 9),
          start: time(7),
          end: time(8),
        }
      }),
    ),
  )
