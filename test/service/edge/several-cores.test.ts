/** A real edge in workerd before several addresses of a real core, which are taken away while it is asked. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { clientOf, form, type Send, sample } from '../../../bench/harness/client.ts'
import { newToken } from '../../../bench/harness/tokens.ts'
import { rpcPath } from '../../../core/contract/rpc/operations.ts'
import { type Forwarder, startForwarder } from '../../recovery/forwarder.ts'
import { startEdge } from './edge-process.ts'

let owners = 0

interface World {
  first: Forwarder
  second: Forwarder
  api: Send
}

/** An edge before two addresses of the core that all tests share, and a new owner. */
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

/** Until it is so: the test ends by its own time where it never is. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50)
}

/** Asks again and again while this goes on; gives the statuses that were not 200. */
async function asking(api: Send, meanwhile: () => Promise<unknown>): Promise<number[]> {
  let goesOn = true
  const wrong: number[] = []
  const one = async () => {
    while (goesOn) {
      const status = await list(api)
      if (status !== 200) wrong.push(status)
    }
  }
  const asking = Promise.all(Array.from({ length: 8 }, one))
  await meanwhile()
  goesOn = false
  await asking
  return wrong
}

describe('an edge before several cores', () => {
  it('asks all of them in turn when they are as near', async () => {
    const { api, first, second } = await world()
    await until(async () => (await list(api)) === 200 && first.asked.length > 5 && second.asked.length > 5)
  })

  it('asks the one that is nearest', async () => {
    const { api, first, second } = await world()
    second.delay = 400
    await until(async () => {
      const before = second.asked.length
      for (let i = 0; i < 10; i++) expect(await list(api)).toBe(200)
      return second.asked.length === before
    })
    expect(first.asked.length).toBeGreaterThanOrEqual(10)
  })

  it('answers all that read while one is cut off, and asks it again when it is there again', async () => {
    const { api, first, second } = await world()
    expect(
      await asking(api, async () => {
        await until(() => first.asked.length > 3 && second.asked.length > 3)
        await first.cut()
        const before = second.asked.length
        await until(() => second.asked.length > before + 20)
        await first.mend()
        const away = first.asked.length
        await until(() => first.asked.length > away)
      }),
    ).toEqual([])
  })

  it('answers all that read while one stands still, and asks it again when it goes on', async () => {
    const { api, first, second } = await world()
    expect(
      await asking(api, async () => {
        await until(() => first.asked.length > 3 && second.asked.length > 3)
        first.freeze()
        const before = second.asked.length
        await until(() => second.asked.length > before + 20)
        first.thaw()
        const away = first.asked.length
        await until(() => first.asked.length > away)
      }),
    ).toEqual([])
  })

  it('posts to the one that is there, when the other refuses connections', async () => {
    const { api, first } = await world()
    await first.cut()
    for (let i = 0; i < 3; i++) expect((await enrol(api)).status).toBe(200)
    expect(await countFaces(api)).toBe(3)
  })

  it('does not post twice when the answer is lost', async () => {
    const { api, first, second } = await world()
    for (const core of [first, second]) core.losesAnswer = path => path === rpcPath('enrol')
    const { status, body } = await enrol(api)
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect([...first.asked, ...second.asked].filter(path => path === rpcPath('enrol'))).toHaveLength(1)
    expect(await countFaces(api)).toBe(1)
  })

  it('posts again under an Idempotency-Key when the answer is lost, and one face comes of it', async () => {
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
