/** A real edge in workerd with several addresses of a real core, which are cut off during requests. */
import { describe, expect, inject, it } from 'vitest'
import { clientOf, form, type Send, sample } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { rpcPath } from '#contract/rpc/operations.ts'
import { startLoad } from '../../load.ts'
import { type Forwarder, startForwarder } from '../../recovery/forwarder.ts'
import { until } from './core-places.ts'
import { startEdge } from './edge-process.ts'

let owners = 0

interface World {
  first: Forwarder
  second: Forwarder
  api: Send
}

/** An edge with two addresses of the shared core, and a new owner. */
async function world(): Promise<World> {
  const [first, second] = [await startForwarder(inject('core')), await startForwarder(inject('core'))]
  const edge = await startEdge(inject('data'), [first.url, second.url])
  const token = newToken(inject('data'), `several cores ${process.pid} ${owners++}`)
  return { first, second, api: clientOf(edge, token) }
}

const list = async (api: Send) => (await api('GET', '/v0/galleries')).status

const enrol = async (api: Send, headers = {}) =>
  api('POST', '/v0/face', form({ photo: await sample(1) }), headers)

const countFaces = async (api: Send) => (await api('GET', '/v0/faces')).body.results.length

/** Sends requests continuously during `meanwhile`; returns the statuses other than 200. */
async function asking(api: Send, meanwhile: () => Promise<unknown>): Promise<number[]> {
  const wrong: number[] = []
  const one = async () => {
    const status = await list(api)
    if (status !== 200) wrong.push(status)
  }
  const load = startLoad(Array.from({ length: 8 }, () => one))
  await meanwhile()
  await load.stop()
  return wrong
}

describe('an edge with several cores', { tags: 'long' }, () => {
  it('answers reads and changes while one core is cut off, and uses the core again afterwards', async () => {
    const { api, first, second } = await world()
    expect(
      await asking(api, async () => {
        await until(() => first.asked.length > 3 && second.asked.length > 3)
        await first.cut()
        expect((await enrol(api)).status).toBe(200)
        const before = second.asked.length
        await until(() => second.asked.length > before + 20)
        await first.mend()
        const away = first.asked.length
        await until(() => first.asked.length > away)
      }),
    ).toEqual([])
  })

  it('repeats an enrolment with an Idempotency-Key whose answer is lost, and stores one face', async () => {
    const { api, first, second } = await world()
    let isFirst = true
    for (const core of [first, second])
      core.losesAnswer = path => {
        const isLost = path === rpcPath('enrol') && isFirst
        if (isLost) isFirst = false
        return isLost
      }
    const { status, body } = await enrol(api, { 'idempotency-key': 'once' })
    expect(status).toBe(200)
    expect([...first.asked, ...second.asked].filter(path => path === rpcPath('enrol'))).toHaveLength(2)
    expect(body.results).toHaveLength(1)
    expect(await countFaces(api)).toBe(1)
  })
})
