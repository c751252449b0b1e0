/** Suggestions of persons that may be the same. */
import type { RpcRequest } from '#contract/operations/messages.ts'
import type { FacePixels } from '#core/operations/faces/enrol.ts'
import { suggestPersons } from '#core/operations/persons/suggestions.ts'
import type { Services } from '#core/operations/services.ts'
import { BLUE, OWNER, RED, REDDISH } from '#test/support/sample-faces.ts'
import { enrolPhoto, it, mergePersons, noAnswer, splitPerson, storeWith, updateFace } from '../world.ts'
import { addPersonWithVectors } from './crowd.ts'

/** Enrols the faces of one photo as these persons. */
async function shown(
  services: Services,
  persons: readonly [number, FacePixels][],
  changed: Partial<RpcRequest<'enrol'>> = {},
) {
  const pixels = persons.map(([, face]) => face)
  const faces = await enrolPhoto(services, pixels, changed)
  for (const [i, { id }] of faces.entries()) await updateFace(services, id, { personId: persons[i]![0] })
  return faces.map(({ id }) => id)
}

const request = { owner: OWNER, limit: 10, threshold: 0.9 }

/** Pairs of ids, as the service suggests them. */
async function pairs(services: Services, changed: Partial<RpcRequest<'persons.suggestions'>> = {}) {
  const { suggestions, next } = await suggestPersons(services, { ...request, ...changed })
  return { pairs: suggestions.map(({ persons }) => persons.map(({ id }) => id)), next }
}

describe('suggestPersons', () => {
  it('returns each pair once, newest person first, with both faces and their confidence', async ({
    world,
  }) => {
    const [red] = await shown(world, [[1, RED]])
    await shown(world, [[2, BLUE]])
    const [reddish] = await shown(world, [[3, REDDISH]])
    const { suggestions } = await suggestPersons(world, request)
    expect(suggestions).toMatchObject([
      {
        persons: [
          { id: 3, count: 1, face: { id: reddish } },
          { id: 1, count: 1, face: { id: red } },
        ],
      },
    ])
    expect(suggestions[0]!.confidence).toBeGreaterThan(0.95)
    expect(suggestions[0]!.confidence).toBeLessThan(1)
    expect(await pairs(world, { threshold: 0.99 })).toEqual({ pairs: [] })
  })

  it('finds a person behind many faces of the first', async ({ world }) => {
    await shown(world, [[1, REDDISH]])
    const [vector] = await world.embed([RED.chip.data])
    await addPersonWithVectors(world, 2, Array(240).fill(vector))
    expect(await pairs(world)).toEqual({ pairs: [[2, 1]] })
  })

  it('leaves out persons on one photo together, but not one face that is enrolled twice', async ({
    world,
  }) => {
    await shown(world, [
      [1, RED],
      [2, RED],
    ])
    const photoHash = 'the same photo'
    await shown(world, [[3, BLUE]], { photoHash })
    await shown(world, [[4, BLUE]], { photoHash })
    expect(await pairs(world)).toEqual({ pairs: [[4, 3]] })
  })

  it('leaves out persons that a user separated, until they are merged', async ({ world }) => {
    const [moved] = await shown(world, [[1, RED]])
    await shown(world, [[1, RED]])
    await splitPerson(world, 1, [moved!])
    await shown(world, [[3, RED]])
    expect(await pairs(world)).toEqual({
      pairs: [
        [3, 1],
        [3, 2],
      ],
    })
    await mergePersons(world, 1, 2)
    await updateFace(world, moved!, { personId: 4 })
    await updateFace(world, moved!, { personId: 1 })
    expect((await pairs(world)).pairs).toEqual([[3, 1]])
  })

  it('searches the other shards while one is unavailable', async ({ world }) => {
    await shown(world, [[1, RED]])
    await shown(world, [[2, RED]])
    const [red] = await shown(world, [[2, REDDISH]])
    const partial = {
      ...world,
      vectors: storeWith(world, {
        search: async (...asked) => ({ ...(await world.vectors.search(...asked)), live: 1, total: 2 }),
        get: async key => (key.id === red ? noAnswer() : world.vectors.get(key)),
        reach: noAnswer,
      }),
    }
    const { suggestions, shards } = await suggestPersons(partial, { ...request, strict: false })
    expect({ count: suggestions.length, shards }).toEqual({ count: 1, shards: { live: 1, total: 2 } })
  })
})
