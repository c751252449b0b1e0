/** Measures searches for persons against searches for faces, in the same store by turns. */
import { OWNER } from '#bench/harness/sample-faces.ts'
import { cosineScale } from '#core/calibration/scale.ts'
import { ownerNamed } from '#core/metadata/queries/owners.ts'
import { insertPersons } from '#core/metadata/queries/persons.ts'
import { faces } from '#core/metadata/schema.ts'
import { closestFaces } from '#core/operations/search/closest-faces.ts'
import { closestPersons } from '#core/operations/search/closest-persons.ts'
import { type Services, servicesOf } from '#core/operations/services.ts'
import { openStores } from '#core/stores.ts'
import { benchmark, progress } from '../benchmark.ts'
import { addRows, makeIndex, NO_INDEX_BY_ITSELF } from '../lib/vectors/fill.ts'
import { KNOWN_PROBES, PROBES, type SyntheticFaces, syntheticFaces } from '../lib/vectors/synthetic.ts'
import { fixed, timed, timesOf } from '../statistics.ts'

/** Numbers of the standard pack. */
const DIMENSION = 128

const GALLERY = `${OWNER}_default`

/** Rows of one statement. */
const ROWS = 500

export default benchmark({
  description: 'searches for persons by their templates against searches for faces: milliseconds',
  options: {
    faces: 100_000,
    /** Least confidence, here the cosine: that of a certain match of synthetic faces. */
    threshold: 0.5,
    searches: 300,
  },
  async run({ faces: count, threshold, searches }, rig) {
    const stores = await openStores(await rig.folder(), { indexAbove: NO_INDEX_BY_ITSELF })
    rig.defer(stores.close)
    const services = servicesOf(stores, {
      scale: cosineScale(cosine => Math.max(0, cosine)),
      embed: async () => [],
      links: () => [{ id: '', key: '' }],
    })
    const synthetic = syntheticFaces(DIMENSION, count)
    await fill(services, synthetic, count)
    const probes = synthetic.probes()
    const measure = () => compare(services, synthetic, { probes, threshold, searches })
    const exact = await measure()
    await makeIndex(stores.vectors, GALLERY)
    return { faces: count, people: synthetic.people, threshold, exact, indexed: await measure() }
  },
})

/** Adds faces of people, each with a person. */
async function fill(services: Services, synthetic: SyntheticFaces, count: number): Promise<void> {
  const { database, vectors } = services
  await ownerNamed(database, { id: OWNER, name: 'bench', created: 0 })
  const all = Array.from({ length: synthetic.people }, (_, id) => ({ owner: OWNER, id, meta: '' }))
  for (let i = 0; i < all.length; i += ROWS) await insertPersons(database, all.slice(i, i + ROWS))
  let id = 0
  for (const rows of synthetic.rows()) {
    const first = id
    await addRows(vectors, GALLERY, first, rows, DIMENSION)
    for (; id < first + rows.length / DIMENSION; id += ROWS)
      await database.insert(faces).values(Array.from({ length: ROWS }, (_, i) => rowOf(synthetic, id + i)))
    if (id % 100_000 === 0) progress(`${id} of ${count} faces are added`)
  }
}

const rowOf = (synthetic: SyntheticFaces, id: number): typeof faces.$inferInsert => ({
  ...{
    id,
    owner: OWNER,
    personId: synthetic.personOf(id),
    timestamp: id,
    photo: '',
    photoHash: String(id),
    meta: '',
  },
  ...{ x1: 0, y1: 0, x2: 90, y2: 90, pictured: false },
})

/** Both searches by turns, for known people and strangers, and the share of known people that each one finds. */
async function compare(
  services: Services,
  synthetic: SyntheticFaces,
  { probes, threshold, searches }: { probes: Float32Array; threshold: number; searches: number },
) {
  const search = { owner: OWNER, gallery: 'default', threshold, limit: 1 }
  const times = { faces: [] as number[], persons: [] as number[] }
  const hits = { faces: 0, persons: 0 }
  let known = 0
  for (let i = 0; i < searches; i++) {
    // Every fifth probe is a stranger, as in all probes.
    const probe = Math.floor((i * PROBES) / searches)
    const vector = probes.slice(probe * DIMENSION, (probe + 1) * DIMENSION)
    const expected = synthetic.personOfProbe(probe)
    known += Number(probe < KNOWN_PROBES)
    times.faces.push(
      await timed(async () => {
        const { found } = await closestFaces(services, search, vector)
        hits.faces += Number(expected !== undefined && found[0]?.face.personId === expected)
      }),
    )
    times.persons.push(
      await timed(async () => {
        const { persons } = await closestPersons(services, search, vector)
        hits.persons += Number(expected !== undefined && persons[0]?.id === expected)
      }),
    )
  }
  return (['faces', 'persons'] as const).map(target => ({
    target,
    ...timesOf(times[target], 2),
    found: fixed(hits[target] / known, 3),
  }))
}
