/** Admission of requests: bounds of number and bytes, the queue, and fairness among tokens. */
import * as fc from 'fast-check'
import { EDGE_LIMITS } from '#contract/limits/edge.ts'
import { type Admission, admission, type Permit } from '#edge/admission/admission.ts'
import { fairQueue } from '#edge/admission/fair-queue.ts'

const BOUNDS = { requests: 4, bodyBytes: 100, waiting: 6 }

const unavailable = { code: 'SERVICE_UNAVAILABLE' }

/** The outcome of an entry after 30 ms. Most entries are decided at once. */
async function soon<Entry>(entry: Promise<Entry>): Promise<Entry | 'waits' | 'refused'> {
  let outcome: Entry | 'waits' | 'refused' = 'waits'
  entry.then(
    permit => (outcome = permit),
    () => (outcome = 'refused'),
  )
  await new Promise(resolve => setTimeout(resolve, 30))
  return outcome
}

const enter = (gate: Admission, token: string, bytes = 0) => soon(gate.acquire(token, bytes))

const isIn = (outcome: Permit | string): outcome is Permit => typeof outcome !== 'string'

/** The outcomes of consecutive entries: i for admitted, w for waiting, r for refused. */
async function outcomes(gate: Admission, token: string, times: number) {
  const letters: string[] = []
  for (let i = 0; i < times; i++) {
    const outcome = await enter(gate, token, 0)
    letters.push(isIn(outcome) ? 'i' : outcome[0]!)
  }
  return letters.join('')
}

describe('admission', () => {
  it('limits a token to half of the requests and half of the queue, and refuses further requests at once', async () => {
    const gate = admission(BOUNDS)
    expect(await outcomes(gate, 'a', 7)).toBe('iiwwwrr')
    expect(await outcomes(gate, 'b', 7)).toBe('iiwwwrr')
    expect(await outcomes(gate, 'c', 1)).toBe('r')
  })

  it('admits waiting requests in order within a token, and tokens in turn', async () => {
    const gate = admission(BOUNDS)
    const first = await Promise.all(['a', 'a', 'b', 'b'].map(token => gate.acquire(token, 0)))
    const entered: string[] = []
    const waiting = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2'].map(async name => {
      const permit = await gate.acquire(name[0]!, 0)
      entered.push(name)
      permit.release()
    })
    for (const permit of first) permit.release()
    await Promise.all(waiting)
    expect(entered.filter(name => name[0] === 'a')).toEqual(['a1', 'a2', 'a3'])
    expect(entered.indexOf('c1')).toBeLessThan(entered.indexOf('a3'))
    expect(gate.permits).toBe(0)
  })

  it('refuses a request that waited longer than EDGE_LIMITS.waitMs', async () => {
    let later = 0
    const gate = admission(BOUNDS, () => Date.now() + later)
    await Promise.all([gate.acquire('a', 0), gate.acquire('a', 0)])
    const entry = gate.acquire('a', 0)
    later = EDGE_LIMITS.waitMs + 1
    await expect(entry).rejects.toMatchObject(unavailable)
    expect(await enter(gate, 'b')).toBeTypeOf('object')
  })

  it('drops permits older than EDGE_LIMITS.permitMs, whose requests the runtime ended silently', async () => {
    let later = 0
    const gate = admission(BOUNDS, () => Date.now() + later)
    await Promise.all([gate.acquire('a', 50), gate.acquire('a', 0)])
    expect(await enter(gate, 'a')).toBe('waits')
    later = EDGE_LIMITS.permitMs + 1
    expect(await enter(gate, 'a', 50)).toBeTypeOf('object')
    expect(gate.permits).toBe(1)
  })
})

it('fairQueue skips an entry that the runtime ended silently', async () => {
  let later = 0
  const waiting = fairQueue(10, () => Date.now() + later)
  let isFree = false
  const wanted = { isAvailable: () => isFree, take: () => {} }
  vi.useFakeTimers()
  const ended = waiting.acquire('a', wanted)
  vi.useRealTimers()
  const alive = waiting.acquire('b', wanted)
  await soon(alive)
  isFree = true
  expect(await soon(alive)).toBe('waits')
  later = 2_000
  await alive
  await expect(Promise.race([ended, 'still there'])).resolves.toBe('still there')
})

it('Permit of a body larger than the share of a token refuses a reservation beyond the free memory', async () => {
  const gate = admission(BOUNDS)
  const growing = await gate.acquire('a', 0)
  growing.reserve(40)
  const other = await gate.acquire('b', 40)
  growing.reserve(50)
  expect(() => growing.reserve(51)).toThrow(expect.objectContaining(unavailable))
  other.release()
  growing.reserve(400)
})

it('admission stays within its bounds for any sequence, and each release frees its permit', async () => {
  const entry = fc.record({ token: fc.constantFrom('a', 'b', 'c'), bytes: fc.integer({ min: 0, max: 150 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(entry, fc.boolean()), { maxLength: 40 }), async steps => {
      const gate = admission({ ...BOUNDS, waiting: 0 })
      const inside: { token: string; bytes: number; permit: Permit }[] = []
      for (const [{ token, bytes }, leaves] of steps) {
        const permit = await gate.acquire(token, bytes).catch(() => undefined)
        if (permit) inside.push({ token, bytes, permit })
        const own = inside.filter(other => other.token === token)
        const heavy = inside.filter(other => other.bytes > 0)
        expect(inside.length).toBeLessThanOrEqual(BOUNDS.requests)
        expect(own.length).toBeLessThanOrEqual(BOUNDS.requests / 2)
        const sum = heavy.reduce((total, other) => total + other.bytes, 0)
        expect(sum <= BOUNDS.bodyBytes || heavy.length === 1).toBe(true)
        if (leaves) inside.shift()?.permit.release()
      }
      for (const { permit } of inside) permit.release()
      expect(gate.permits).toBe(0)
    }),
  )
})
