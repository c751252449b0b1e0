/** Photo analysis in workerd: it yields to other requests, and photos of other tokens do not wait for it. */
import sharp, { type Sharp } from 'sharp'
import { inject } from 'vitest'
import { form, type Send, sample } from '#test/support/client.ts'
import { freshApi } from './shared.ts'

type Photo = Uint8Array<ArrayBuffer>

/** Twelve people: the analysis takes many steps, and several times as long as for a portrait. */
let crowd: Photo
let portrait: Photo
const [one, other] = [freshApi(), freshApi()]

const bytesOf = async (image: Sharp): Promise<Photo> => new Uint8Array(await image.toBuffer())

beforeAll(async () => {
  const group = await sharp(await sample(2))
    .resize(960, 680, { fit: 'fill' })
    .toBuffer()
  const places = [0, 1, 2, 3].map(n => ({ left: (n % 2) * 960, top: n > 1 ? 680 : 0 }))
  crowd = await bytesOf(
    sharp({ create: { width: 1920, height: 1360, channels: 3, background: '#000' } })
      .composite(places.map(place => ({ input: Buffer.from(group), ...place })))
      .jpeg(),
  )
  const face = { left: 1266, top: 43, width: 600, height: 600 }
  portrait = await bytesOf(
    sharp(await sample(1))
      .extract(face)
      .jpeg(),
  )
  // The first request loads the networks.
  await detect(one, portrait)
})

const detect = async (send: Send, photo: Photo) => {
  const answer = await send('POST', '/v0/detect', form({ photo }))
  expect(answer.status).toBe(200)
  return answer.body
}

/** More requests than an edge answers before and after an analysis that never yields. */
const REQUESTS_WITHOUT_A_YIELD = 5

/** The number of sequential requests that are answered before `work` ends. */
async function answeredDuring(work: Promise<unknown>) {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  let count = 0
  while (!isDone) {
    await fetch(`${inject('edge')}/healthz`)
    count++
  }
  await done
  return count
}

describe('the edge during the analysis of a photo', () => {
  it('answers other requests between the steps of an analysis', async () => {
    expect(await answeredDuring(detect(one, crowd))).toBeGreaterThan(REQUESTS_WITHOUT_A_YIELD)
  })

  it('analyses a portrait of another token first, with unchanged results for both', {
    tags: 'long',
  }, async () => {
    const alone = { crowd: await detect(one, crowd), portrait: await detect(other, portrait) }
    const order: string[] = []
    const crowded = detect(one, crowd).then(seen => {
      order.push('crowd')
      return seen
    })
    for (let i = 0; i < 2; i++) {
      expect(await detect(other, portrait)).toEqual(alone.portrait)
      order.push('portrait')
    }
    expect(await crowded).toEqual(alone.crowd)
    expect(order).toEqual(['portrait', 'portrait', 'crowd'])
  })
})
