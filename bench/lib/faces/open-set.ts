/** A gallery of known people in a real store, and searches of it with known people and strangers. */

import { OWNER } from '#bench/harness/sample-faces.ts'
import type { SearchTarget } from '#contract/model/face.ts'
import type { Tail } from '#core/calibration/pareto.ts'
import { calibrated, cosineScale, labelOf } from '#core/calibration/scale.ts'
import { falseAlarmsOf } from '#core/metadata/queries/false-alarms.ts'
import { ownerNamed } from '#core/metadata/queries/owners.ts'
import { insertPersons } from '#core/metadata/queries/persons.ts'
import { faces } from '#core/metadata/schema.ts'
import { closestFaces } from '#core/operations/search/closest-faces.ts'
import { closestPersons } from '#core/operations/search/closest-persons.ts'
import { falseAlarmBounds } from '#core/operations/search/false-alarms.ts'
import { measureFalseAlarms } from '#core/operations/search/measure-false-alarms.ts'
import type { Services } from '#core/operations/services.ts'
import { servicesOf } from '#core/operations/services.ts'
import { openStores } from '#core/stores.ts'
import type { Calibration } from '#models/calibrations.ts'
import type { Rig } from '../../rig.ts'

export const TARGETS = ['faces', 'persons'] as const

/** FPIRs that are requested. */
export const REQUESTED = [1e-2, 3e-3, 1e-3] as const

/** An enrolled person: embeddings of the enrolled pictures, and of other pictures as probes. */
export interface Enrolled {
  pictures: readonly Float32Array[]
  probes: readonly Float32Array[]
}

/** Best confidence of each probe. */
export interface Searched {
  /** Of strangers, in the order of the probes. */
  strangers: number[]
  /** Of probes whose closest person is theirs; 0 for another person. */
  known: number[]
  /** Threshold for each of REQUESTED, as the service finds it. */
  thresholds: number[]
  /** The tail that the service measured; null for a small gallery. */
  tail: Tail | null
}

/** Enrols the people, each as a person, in a new store, and searches it for persons and for single faces. */
export async function searchGallery(
  rig: Rig,
  table: Calibration,
  enrolled: readonly Enrolled[],
  strangers: readonly Float32Array[],
): Promise<Record<SearchTarget, Searched>> {
  const stores = await openStores(await rig.folder())
  const scale = cosineScale(calibrated(table), labelOf(table))
  const services = servicesOf(stores, { scale, embed: async () => [], links: () => [{ id: '', key: '' }] })
  await enrolAll(services, enrolled)
  await measureFalseAlarms(services)
  const gallery = { owner: OWNER, gallery: 'default' }
  const results = {} as Record<SearchTarget, Searched>
  for (const target of TARGETS) {
    const bounds = await falseAlarmBounds(services, gallery, target)
    const searched: Searched = {
      strangers: [],
      known: [],
      thresholds: REQUESTED.map(fpir => bounds(fpir).threshold),
      tail: (await falseAlarmsOf(stores.database, gallery, target))?.tail ?? null,
    }
    for (const probe of strangers) searched.strangers.push((await best(services, target, probe)).confidence)
    for (const [person, { probes }] of enrolled.entries())
      for (const probe of probes) {
        const found = await best(services, target, probe)
        searched.known.push(found.person === person ? found.confidence : 0)
      }
    results[target] = searched
  }
  await stores.close()
  return results
}

/** Enrols without pictures, in one transaction of the metadata. */
async function enrolAll(services: Services, enrolled: readonly Enrolled[]): Promise<void> {
  const { database, vectors } = services
  await ownerNamed(database, { id: OWNER, name: 'bench', created: 0 })
  const rows = enrolled.flatMap(({ pictures }, person) =>
    pictures.map(vector => ({ person, vector, id: services.nextId() })),
  )
  await insertPersons(
    database,
    enrolled.map((_, id) => ({ owner: OWNER, id, meta: '' })),
  )
  const box = { x1: 0, y1: 0, x2: 90, y2: 90 }
  const values = rows.map(({ person, id }) => ({
    ...{
      id,
      owner: OWNER,
      personId: person,
      timestamp: id,
      photo: '',
      photoHash: String(id),
      meta: '',
      pictured: false,
    },
    ...box,
  }))
  for (let i = 0; i < values.length; i += 500) await database.insert(faces).values(values.slice(i, i + 500))
  await vectors.add(rows.map(({ id, vector }) => ({ gallery: `${OWNER}_default`, id, vector })))
}

/** The closest person and the confidence of it. */
async function best(
  services: Services,
  target: SearchTarget,
  probe: Float32Array,
): Promise<{ person: number | undefined; confidence: number }> {
  const search = { owner: OWNER, gallery: 'default', threshold: 0, limit: 1 }
  if (target === 'persons') {
    const [found] = (await closestPersons(services, search, probe)).persons
    return { person: found?.id, confidence: found?.confidence ?? 0 }
  }
  const [found] = (await closestFaces(services, search, probe)).found
  return { person: found?.face.personId as number | undefined, confidence: found?.confidence ?? 0 }
}
