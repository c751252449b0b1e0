/** Identification: the right faces, in the right order, of the right owner. */
import { describe, expect, it } from 'vitest'
import { faceOf, OWNER } from '#bench/harness/sample-faces.ts'
import type { RpcRequest } from '#contract/rpc/operations.ts'
import { cosineScale } from '#core/calibration/scale.ts'
import type { FacePixels } from '#core/operations/enrol.ts'
import { identify } from '#core/operations/recognition.ts'
import { emptyWorld, enrolOne, type World } from './world.ts'

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
})
