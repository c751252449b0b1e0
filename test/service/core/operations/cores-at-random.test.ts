/** Random operations of several cores that are presumed dead while they run: the remaining data is consistent. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { enrolment, faceOf, OWNER } from '#bench/harness/sample-faces.ts'
import { ServiceError } from '#contract/errors.ts'
import type { RpcRequest } from '#contract/rpc/operations.ts'
import { renewCore } from '#core/metadata/connection/cores.ts'
import { faceKeysOf } from '#core/metadata/queries/faces.ts'
import { nextIntents } from '#core/metadata/queries/intents.ts'
import { metadataFaults } from '#core/metadata/row-sums.ts'
import { deleteFace } from '#core/operations/deletions.ts'
import { enrol } from '#core/operations/enrol.ts'
import { listFaces, updateFace } from '#core/operations/faces.ts'
import { createGallery } from '#core/operations/galleries.ts'
import type { Services } from '#core/operations/services.ts'
import { openCores, presumeDead } from './neighbours.ts'
import { kept, keptOf, keyed, reconcileNow, storeWith } from './world.ts'

/** Number of sequences. */
const RUNS = Number(process.env.MIEN_CORE_SEQUENCES ?? 3)

const COLOURS = [faceOf(250, 1, 1), faceOf(1, 250, 1), faceOf(1, 1, 250)]
const GALLERIES = ['g', 'h']
const CORES = 3

const number = (below: number) => fc.nat({ max: below - 1 })

const Act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant('enrol'),
      colour: number(3),
      key: number(12),
      gallery: number(3),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ verb: fc.constantFrom('add', 'del', 'set'), face: number(6), gallery: number(2) }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('forget'), face: number(6) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('reconcile') }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constantFrom('die', 'live') }) },
)
type Act = typeof Act extends fc.Arbitrary<infer Value> ? Value : never

/** Delays calls of the store; other cores run between any two steps. */
function slow(services: Services, pauses: () => number): Services {
  const later =
    <Values extends unknown[], Result>(ask: (...values: Values) => Promise<Result>) =>
    async (...values: Values) => {
      await new Promise(resolve => setTimeout(resolve, pauses()))
      return ask(...values)
    }
  const { vectors } = services
  return {
    ...services,
    vectors: storeWith(services, {
      add: later(vectors.add.bind(vectors)),
      get: later(vectors.get.bind(vectors)),
      remove: later(vectors.remove.bind(vectors)),
    }),
  }
}

/** Path of the database file that the cores share. */
const fileOf = async ({ $client }: Services['database']): Promise<string> =>
  String((await $client.execute('PRAGMA database_list')).rows[0]!.file)

async function done(core: Services, act: Act, seen: number[]): Promise<void> {
  const id = 'face' in act ? seen[act.face % Math.max(1, seen.length)] : undefined
  const gallery = 'gallery' in act ? GALLERIES[act.gallery] : undefined
  if (act.verb === 'die') await presumeDead(core)
  else if (act.verb === 'live')
    await renewCore(core.database, { id: core.lease!.core, shares: null }, 600_000)
  else if (act.verb === 'reconcile') await reconcileNow(core)
  else if (act.verb === 'enrol' && 'colour' in act) {
    const changed = { ...(await keyed(`key ${act.key}`, 'request')), galleries: gallery ? [gallery] : [] }
    const { faces } = await enrol(core, enrolment(1, changed), [COLOURS[act.colour]!])
    for (const face of faces) seen.push(face.id)
  } else if (id !== undefined && act.verb === 'forget') await deleteFace(core, { owner: OWNER, id })
  else if (id !== undefined) {
    const change = { owner: OWNER, by: '', id, galleries: { kind: act.verb, names: [gallery!] } }
    await updateFace(core, change as RpcRequest<'face.update'>)
  }
}

/** Ignores the errors that a caller may get: a missing face, or a core that is presumed dead. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ServiceError && ['NOT_FOUND', 'SERVICE_UNAVAILABLE'].includes(error.code)))
    throw error
}

it('several cores keep faces whole, one person per colour and one face per key, and leave no intent', {
  tags: 'long',
  timeout: RUNS * 30_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.tuple(number(CORES), Act), { minLength: 2, maxLength: 6 }), {
        minLength: 3,
        maxLength: 6,
      }),
      fc.infiniteStream(number(12)),
      async (rounds, pauses) => {
        const cores = await openCores(CORES)
        const acting = cores.map(core => slow(core, () => pauses.next().value))
        for (const gallery of GALLERIES) await createGallery(cores[0]!, { owner: OWNER, gallery })
        const seen: number[] = []
        for (const round of rounds)
          await Promise.all(round.map(([core, act]) => done(acting[core]!, act, seen).catch(ignoreRefusal)))
        for (const core of cores) await presumeDead(core)
        await reconcileNow(cores[0]!)

        const { database } = cores[0]!
        expect(await nextIntents(database, 0, { before: Number.MAX_SAFE_INTEGER }, 1)).toEqual([])
        const { faces } = await listFaces(cores[0]!, { owner: OWNER, limit: 1_000 })
        const rows = await faceKeysOf(
          database,
          faces.map(({ id }) => id),
        )
        expect(await kept(cores[0]!)).toEqual(keptOf(...rows))
        const byColour = new Map<number, Set<unknown>>()
        for (const face of faces) {
          const vector = await cores[0]!.vectors.get({ gallery: `${OWNER}_default`, id: face.id })
          const colour = vector!.indexOf(Math.max(...vector!))
          byColour.set(colour, (byColour.get(colour) ?? new Set()).add(face.person_id))
        }
        for (const persons of byColour.values()) expect(persons.size).toBe(1)
        expect(metadataFaults(await fileOf(database))).toEqual([])
      },
    ),
    { numRuns: RUNS },
  )
})
