/** Unbounded lists through the edge: in any chunks, interrupted, or stalled. */
import * as fc from 'fast-check'
import { readDeadline, streamItems } from '#edge/core-client/core-stream.ts'
import { streamedAnswer } from '#edge/http/streamed.ts'

const ANN = { id: 1, meta: 'Änn 😀\n' }
const BOB = { id: 2, meta: 'Bob' }
const LINES = [{ items: [ANN] }, { items: [BOB, ANN] }, { end: {} }]

const textOf = (lines: unknown[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('')

/** The text as a stream of chunks with these sizes in bytes, repeated. */
function bodyOf(text: string, sizes: readonly number[] = [1_000]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  let turn = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      const size = sizes[turn++ % sizes.length]!
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}

const inTime = { during: <Result>(work: Promise<Result>) => work }
const persons = (body: ReadableStream<Uint8Array>) => streamItems('persons.list', body, inTime)

async function collected(body: ReadableStream<Uint8Array>) {
  const all = []
  for await (const items of persons(body)) all.push(...items)
  return all
}

describe('streamItems', () => {
  it('reads all items for any sizes of chunks', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(sizes, async cuts => {
        expect(await collected(bodyOf(textOf(LINES), cuts))).toEqual([ANN, BOB, ANN])
      }),
    )
  })

  it.each([
    ['is empty', '', 'SERVICE_UNAVAILABLE'],
    ['has no end', textOf(LINES.slice(0, 2)), 'SERVICE_UNAVAILABLE'],
    ['ends within a line', textOf(LINES).slice(0, -4), 'SERVICE_UNAVAILABLE'],
    ['has other items', textOf([{ items: [{ id: 'x' }] }, { end: {} }]), 'INTERNAL_ERROR'],
    ['has items with an unknown field', textOf([{ items: [{ ...ANN, embedding: [1] }] }]), 'INTERNAL_ERROR'],
    ['has other lines', textOf([{ item: ANN }, { end: {} }]), 'INTERNAL_ERROR'],
    ['is not JSON', '<html>\n', 'INTERNAL_ERROR'],
  ])('refuses a stream that %s', async (_, text, code) => {
    await expect(collected(bodyOf(text))).toBeRefused(code)
  })

  it('gives up a stalled stream', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const { during } = readDeadline(20, controller)
    const body = new ReadableStream<Uint8Array>({
      start: controller => signal.addEventListener('abort', () => controller.error(signal.reason)),
    })
    await expect(streamItems('persons.list', body, { during }).next()).toBeRefused('SERVICE_UNAVAILABLE')
  })
})

describe('streamedAnswer', () => {
  const json = (
    body: ReadableStream<Uint8Array>,
    tail?: Parameters<typeof streamedAnswer<typeof ANN, object>>[2],
  ) => streamedAnswer(persons(body), person => ({ name: person.meta }), tail).json()

  it('writes one JSON object with the results and the fields of the tail', async () => {
    const results = [{ name: ANN.meta }, { name: BOB.meta }, { name: ANN.meta }]
    expect(await json(bodyOf(textOf(LINES)))).toEqual({ results })
    const tail = (_: object, last?: { id: number }) => ({ last: last?.id ?? null, more: true })
    expect(await json(bodyOf(textOf(LINES)), tail)).toEqual({ results, last: 1, more: true })
  })

  it('interrupts the answer when the stream is interrupted', async () => {
    const answer = streamedAnswer(persons(bodyOf(textOf(LINES.slice(0, 1)))), person => person)
    await expect(answer.text()).toBeRefused('SERVICE_UNAVAILABLE')
  })

  it('cancels the stream of core when the caller cancels', async () => {
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      start: controller => controller.enqueue(new TextEncoder().encode(textOf(LINES.slice(0, 1)))),
      cancel: () => {
        cancelled = true
      },
    })
    const reader = streamedAnswer(persons(body), person => person).body!.getReader()
    await reader.read()
    await reader.read()
    await reader.cancel()
    expect(cancelled).toBe(true)
  })
})
