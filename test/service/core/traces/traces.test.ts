/** Traces of a running service, as a collector receives them. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { clientOf, form, type Send, sample } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { type Core, startCore } from '#test/unit/core/core-process.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { startEdge } from '../../edge/edge-process.ts'
import { type Collector, type ReceivedSpan, startCollector } from './collector.ts'

const OWNER = 'An-Owner-With-A-Name'
const GALLERY = 'a-gallery-with-a-name'
const META = 'a-meta-with-a-name'
const EXPORTER_SECRET = 'a-secret-of-the-exporter'

/** Exports and batches wait for up to 5 s each. */
const until = { timeout: 40_000, interval: 200 }

interface World {
  api: Send
  core: Core
  token: string
  lines(): Record<string, unknown>[]
}

/** A new core that exports to this endpoint, an edge that has learned so, and an owner. */
async function world(endpoint: string, variables: Record<string, string> = {}): Promise<World> {
  const data = await temporaryFolder()
  const core = startCore(data, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `api-key=${EXPORTER_SECRET}`,
    OTEL_SERVICE_NAME: 'faces-of-a-test',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    ...variables,
  })
  let output = ''
  core.child.stdout?.on('data', text => {
    output += text
  })
  const edge = await startEdge(data, [`http://127.0.0.1:${await core.port}`])
  const token = newToken(data, OWNER)
  const api = clientOf(edge, token)
  expect((await api('POST', `/v1/galleries/${GALLERY}`)).status).toBe(201)
  const lines = () =>
    output
      .split('\n')
      .filter(line => line.endsWith('}'))
      .map(line => JSON.parse(line))
  return { api, core, token, lines }
}

/** A caller's trace: its id, the span of the caller, and the header. */
function callersTrace(flags = '01') {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } }
}

const enrol = async (api: Send, headers: HeadersInit = {}) =>
  api('POST', '/v1/face', form({ photo: await sample(1), meta: META, galleries: GALLERY }), headers)

const named = (spans: ReceivedSpan[], scope: string, name: string): ReceivedSpan[] =>
  spans.filter(span => span.scope === scope && span.name === name)

/** Waits for the enrolment of this trace in both halves. */
async function arrived(collector: Collector, traceId: string): Promise<ReceivedSpan[]> {
  const ofTrace = () => collector.spans().filter(span => span.traceId === traceId)
  await expect.poll(() => named(ofTrace(), 'mien-edge', 'enrol'), until).toHaveLength(1)
  await expect.poll(() => named(ofTrace(), 'mien-core', 'enrol'), until).toHaveLength(1)
  return ofTrace()
}

describe('traces', { tags: 'long' }, () => {
  it('of requests arrive with their parents and the stages of both halves, without names or secrets, also from a core that stops', async () => {
    const collector = await startCollector()
    const { api, core: process, token } = await world(collector.endpoint)
    const { traceId, spanId, headers } = callersTrace()
    const answered = await enrol(api, headers)
    expect(answered.status).toBe(200)
    const spans = await arrived(collector, traceId)
    const [edge] = named(spans, 'mien-edge', 'enrol')
    const [core] = named(spans, 'mien-core', 'enrol')
    expect(edge).toMatchObject({
      parentId: spanId,
      service: 'faces-of-a-test',
      attributes: {
        'mien.half': 'edge',
        'mien.code': 'OK',
        'mien.owner': expect.stringMatching(/^[0-9a-f]{24}$/),
        'mien.faces': expect.any(Number),
      },
    })
    expect(core).toMatchObject({
      parentId: edge!.spanId,
      attributes: { 'mien.half': 'core', 'mien.code': 'OK' },
    })
    const stagesOf = (parent: ReceivedSpan) =>
      new Set(spans.filter(({ parentId }) => parentId === parent.spanId).map(({ name }) => name))
    expect(stagesOf(edge!)).toEqual(new Set(['queue', 'decode', 'detect', 'landmarks', 'align', 'enrol']))
    expect(stagesOf(core!)).toEqual(new Set(['embed', 'commit']))
    for (const span of spans) {
      expect(span.start).toBeLessThanOrEqual(span.end)
      for (const key of Object.keys(span.attributes)) expect(key).toMatch(/^mien\.(half|code|owner|faces)$/)
    }

    // A request without a traceparent begins a trace, and a refused one arrives with its code.
    const photo = new TextEncoder().encode('no photo')
    expect((await api('POST', '/v1/detect', form({ photo }))).status).toBe(400)
    const refused = () =>
      named(collector.spans(), 'mien-edge', 'detect').filter(({ parentId }) => parentId === '')
    await expect.poll(refused, until).toMatchObject([{ attributes: { 'mien.code': 'BAD_IMAGE' } }])

    const last = callersTrace()
    expect((await api('GET', '/v1/galleries', undefined, last.headers)).status).toBe(200)
    process.child.kill('SIGTERM')
    expect(await process.exit).toEqual([0, null])
    const ofLast = collector.spans().filter(span => span.traceId === last.traceId)
    expect(named(ofLast, 'mien-core', 'galleries.list')).toHaveLength(1)
    const text = collector.text()
    expect(text).toContain(EXPORTER_SECRET)
    for (const secret of [OWNER, GALLERY, META, token, answered.body.results[0].id, 'photo.jpg'])
      expect(text).not.toContain(String(secret))
  })

  it('that the caller or the sampler leaves out do not arrive, and sampled ones do', async () => {
    const collector = await startCollector()
    const { api } = await world(collector.endpoint, { OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
    const [left, taken] = [callersTrace('00'), callersTrace()]
    expect((await enrol(api)).status).toBe(200)
    expect((await enrol(api, left.headers)).status).toBe(200)
    expect((await enrol(api, taken.headers)).status).toBe(200)
    await arrived(collector, taken.traceId)
    expect(new Set(collector.spans().map(({ traceId }) => traceId))).toEqual(new Set([taken.traceId]))
  })

  it('for a collector that fails leave requests alone, and cost one line of the log', async () => {
    const collector = await startCollector(400)
    const { api, core, lines } = await world(collector.endpoint)
    const failures = () => lines().filter(({ event }) => event === 'traces not exported')
    for (let batch = 1; batch <= 2; batch++) {
      expect((await enrol(api, callersTrace().headers)).status).toBe(200)
      await expect.poll(collector.exports, until).toBeGreaterThanOrEqual(batch)
    }
    await expect.poll(failures, until).toHaveLength(1)
    core.child.kill('SIGTERM')
    expect(await core.exit).toEqual([0, null])
    expect(failures()).toHaveLength(1)
    expect(JSON.stringify(lines())).not.toContain(EXPORTER_SECRET)
  })
})
