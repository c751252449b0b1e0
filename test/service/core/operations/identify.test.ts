/** Identification and comparison: the right faces, in the right order, of the right owner. */
import { describe, expect, it } from 'vitest'
import { faceOf, given, OTHER_OWNER, OWNER } from '#bench/harness/sample-faces.ts'
import type { RpcRequest } from '#contract/rpc/operations.ts'
import { cosineScale } from '#core/calibration/scale.ts'
import { compare } from '#core/operations/compare.ts'
import { deleteFace } from '#core/operations/delete-faces.ts'
import type { FacePixels } from '#core/operations/enrol.ts'
import { createGallery } from '#core/operations/galleries.ts'
import { identify } from '#core/operations/identify.ts'
import { emptyWorld, enrolOne, openWorld, type World } from './world.ts'

const request = (changed: Partial<RpcRequest<'identify'>> = {}): RpcRequest<'identify'> => ({
  owner: OWNER,
  gallery: 'default',
  threshold: 0,
  limit: 10,
  ...changed,
})

const RED = faceOf(200, 10, 10)
const REDDISH = faceOf(200, 90, 10)
const BLUE = faceOf(10, 10, 200)

async function found(world: World, face: FacePixels, changed?: Partial<RpcRequest<'identify'>>) {
  const { matches } = await identify(world, request(changed), [face.chip.data])
  return matches[0]!.map(match => match.face.id)
}

describe('identify', () => {
  it('returns the closest faces first for each chip, with confidences of four decimals', async () => {
    const world = await emptyWorld()
    const red = await enrolOne(world, RED, { meta: 'red' })
    const reddish = await enrolOne(world, REDDISH)
    const blue = await enrolOne(world, BLUE)
    const answer = await identify(world, request(), [RED.chip.data, BLUE.chip.data])
    expect(answer).toMatchObject({ live: 1, total: 1 })
    expect(answer.matches.map(list => list.map(match => match.face.id))).toEqual([
      [red, reddish, blue],
      [blue, reddish, red],
    ])
    expect(answer.matches[0]![0]).toMatchObject({ confidence: 1, face: { meta: 'red' } })
    for (const { confidence } of answer.matches.flat()) {
      expect(confidence).toBe(Math.round(confidence * 1e4) / 1e4)
    }
  })

  it('applies the threshold to the last decimal', async () => {
    const world = await emptyWorld()
    await enrolOne(world, RED)
    await enrolOne(world, REDDISH)
    const { matches } = await identify(world, request(), [RED.chip.data])
    const { confidence } = matches[0]![1]!
    expect(await found(world, RED, { threshold: confidence })).toHaveLength(2)
    expect(await found(world, RED, { threshold: confidence + 1e-4 })).toHaveLength(1)
    expect(await found(world, RED, { threshold: 1 })).toHaveLength(1)
  })

  it('orders ties by rising id, also when different scores have one confidence', async () => {
    const world = await emptyWorld()
    const ids = [await enrolOne(world, REDDISH), await enrolOne(world, RED), await enrolOne(world, RED)]
    expect(await found(world, RED, { limit: 2 })).toEqual([ids[1], ids[2]])
    const flat = { ...world, scale: cosineScale(score => (score > 0.9 ? 1 : 0)) }
    expect(await found(flat, RED)).toEqual(ids)
    expect(await found(flat, RED, { limit: 1 })).toEqual([ids[0]])
  })

  it('searches again when too many candidates have no face', async () => {
    const world = await emptyWorld()
    const kept = await enrolOne(world, BLUE)
    const store = `${OWNER}_default`
    await world.vectors.add(
      Array.from({ length: 100 }, (_, id) => ({ gallery: store, id, vector: Float32Array.of(201, 11, 11) })),
    )
    expect(await found(world, RED, { limit: 1 })).toEqual([kept])
  })

  it('searches one gallery of the owner and nothing of other owners', async () => {
    const world = await emptyWorld()
    await createGallery(world, { owner: OWNER, gallery: 'g' })
    await createGallery(world, { owner: OTHER_OWNER, gallery: 'g' })
    const inside = await enrolOne(world, BLUE, { galleries: ['g'] })
    const outside = await enrolOne(world, RED)
    await enrolOne(world, RED, { owner: OTHER_OWNER, galleries: ['g'] })
    expect(await found(world, RED, { gallery: 'g' })).toEqual([inside])
    expect(await found(world, RED)).toEqual([outside, inside])
  })

  it('returns nothing for an empty gallery, and refuses an unknown one', async () => {
    const world = await emptyWorld()
    expect(await found(world, RED)).toEqual([])
    await expect(found(world, RED, { gallery: 'nowhere' })).rejects.toMatchObject({
      code: 'BAD_PARAM',
      detail: { param: 'gallery', value: 'nowhere' },
    })
  })

  it('does not return a deleted face', async () => {
    const world = await emptyWorld()
    const id = await enrolOne(world, RED)
    await deleteFace(world, { owner: OWNER, id })
    expect(await found(world, RED)).toEqual([])
  })

  it('returns the same after a restart', async () => {
    const world = await emptyWorld()
    const ids = [await enrolOne(world, RED), await enrolOne(world, REDDISH)]
    await world.close()
    expect(await found(await openWorld(world.data), RED)).toEqual(ids)
  })
})

describe('compare', () => {
  it('returns one row per first chip and one column per second chip', async () => {
    const [red, reddish, blue] = [RED, REDDISH, BLUE].map(face => face.chip.data) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ]
    const { confidences } = await compare(given, [red, blue], [red, reddish, blue])
    expect(confidences.map(row => row.length)).toEqual([3, 3])
    expect([confidences[0]![0], confidences[1]![2]]).toEqual([1, 1])
    expect(confidences[0]![1]).toBeGreaterThan(confidences[1]![1]!)
  })

  it('returns the confidence that identify returns', async () => {
    const world = await emptyWorld()
    await enrolOne(world, REDDISH)
    const { matches } = await identify(world, request(), [BLUE.chip.data])
    const { confidences } = await compare(world, [BLUE.chip.data], [REDDISH.chip.data])
    expect(confidences).toEqual([[matches[0]![0]!.confidence]])
  })

  it('returns nothing for no chips', async () => {
    expect(await compare(given, [], [])).toEqual({ confidences: [] })
  })
})
