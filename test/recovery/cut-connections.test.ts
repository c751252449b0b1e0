/** Enrolments over randomly cut connections, each repeated with its Idempotency-Key until it is answered. */
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Answered, clientOf, form, type Send, sample } from '#bench/harness/client.ts'
import { startService } from '#bench/harness/service.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { nextFaceKeys } from '#core/metadata/queries/faces.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { openStores } from '#core/operations/services.ts'
import { kept, keptOf } from '../service/core/operations/world.ts'
import { startCuttingProxy } from './cutting-proxy.ts'

/** Number of enrolments; `MIEN_CUT_POSTS=2000` for a long run. */
const POSTS = Number(process.env.MIEN_CUT_POSTS ?? 60)
const AT_ONCE = 6
const MINUTES = 60_000

describe('enrolments over randomly cut connections', { tags: 'long' }, () => {
  it(`store each face once and leave no partial data: ${POSTS} enrolments`, {
    timeout: 2 * MINUTES + POSTS * 1_000,
  }, async () => {
    const service = await startService()
    onTestFinished(async () => {
      await service.stop('SIGKILL')
      await service.remove()
    })
    const proxy = await startCuttingProxy(service.edge)
    onTestFinished(() => proxy.close())
    const photo = await smallPhoto(clientOf(service.edge, service.token))
    const send = clientOf(proxy.origin, service.token)
    const answered: number[] = []
    const post = async (i: number): Promise<void> => {
      const { status, body } = await untilAnswered(() =>
        send('POST', '/v0/face', form({ photo, meta: `post ${i}` }), { 'idempotency-key': `key ${i}` }),
      )
      expect({ status, code: body.code }).toEqual({ status: 200, code: undefined })
      expect(body.results).toHaveLength(1)
      answered.push(body.results[0].id)
    }
    const numbers = Array.from({ length: POSTS }, (_, i) => i).values()
    const worker = async () => {
      for (const i of numbers) await post(i)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    expect(proxy.cuts()).toBeGreaterThan(POSTS / 2)
    await service.stop()

    const stores = await openStores(service.data)
    onTestFinished(() => stores.close())
    expect(await reconcile(stores)).toMatchObject({ reconciled: 0, vectorsRemoved: 0, picturesRemoved: 0 })
    const faces = await nextFaceKeys(stores.database, -1, POSTS * 2)
    expect(faces.map(face => face.id)).toEqual(answered.toSorted((a, b) => a - b))
    expect(await kept(stores)).toEqual(keptOf(...faces))
    expect(await verifyAll(service.data, stores)).toEqual([])
  })
})

/** One face of a sample photo with its surroundings, small and fast to analyse. */
async function smallPhoto(send: Send): Promise<Uint8Array<ArrayBuffer>> {
  const photo = await sample(3)
  const { body } = await send('POST', '/v0/detect', form({ photo }))
  const { x1, y1, x2, y2 } = body.faces[0]
  const around = Math.round((x2 - x1) / 2)
  const face = sharp(photo).extract({
    left: Math.max(0, x1 - around),
    top: Math.max(0, y1 - around),
    width: x2 - x1 + 2 * around,
    height: y2 - y1 + 2 * around,
  })
  return new Uint8Array(await face.resize({ width: 240 }).jpeg().toBuffer())
}

/** Repeats until an answer arrives whole and is not 503. */
async function untilAnswered(send: () => Promise<Answered>): Promise<Answered> {
  for (;;) {
    const answer = await send().catch(() => undefined)
    if (answer && answer.status !== 503) return answer
  }
}
