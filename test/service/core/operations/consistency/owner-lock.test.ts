/** The lock of an owner: operations that decide by the data of the owner wait for it. */
import { changeAlert, rotateAlertSecret } from '#core/operations/alerts/alerts.ts'
import type { OwnerLock } from '#core/operations/consistency/owner-lock.ts'
import { enrol } from '#core/operations/faces/enrol.ts'
import { changeGallery } from '#core/operations/galleries/galleries.ts'
import { changeGrouping, continueGroupings } from '#core/operations/persons/group.ts'
import { deleteExpiredFaces } from '#core/operations/service/retention.ts'
import type { Services } from '#core/operations/services.ts'
import { enrolment, FACE, OWNER } from '#test/support/sample-faces.ts'
import { createRule, settings } from '../alerts/shared.ts'
import {
  cameraOf,
  deletePerson,
  emptyWorld,
  enrolOne,
  keyOf,
  mergePersons,
  splitPerson,
  updateFace,
  updatePerson,
  withPersons,
} from '../world.ts'

const owned = { owner: OWNER }
const YEAR_MS = 366 * 86_400_000

type Change = (services: Services, faces: readonly number[]) => Promise<unknown>

const again = async (camera: string, request: string) =>
  enrolment(1, { camera, update: true, ...(await keyOf('k', request)) })

const CHANGES: Record<string, Change> = {
  'a new meta of a person': world => updatePerson(world, 7, { meta: 'Ann', faces: true }),
  'a merge': world => mergePersons(world, 7, 8),
  'a split': (world, [first]) => splitPerson(world, 7, [first!]),
  'a deletion of a person': world => deletePerson(world, 7),
  'a change of a face': (world, [id]) => updateFace(world, id!, { meta: 'x' }),
  'an enrolment of a given person': world => enrolOne(world, FACE, { personId: 7 }),
  'an enrolment with identification': world => enrolOne(withPersons(world), FACE),
  'a start of a grouping': world => changeGrouping(world, { ...owned, action: 'start' }),
}

/** Changes of an owner with earlier changes. */
const LATER_CHANGES: Record<string, (world: Services) => Promise<Change>> = {
  'a change of a rule': async world => {
    const { id } = await createRule(world)
    return services =>
      changeAlert(services, { ...owned, id, alert: settings(), origin: 'https://mien.example' })
  },
  'a new secret of a rule': async world => {
    const { id } = await createRule(world)
    return services => rotateAlertSecret(services, { ...owned, id })
  },
  'a step of a grouping': async world => {
    await changeGrouping(world, { ...owned, action: 'start' })
    return services => continueGroupings(services, () => false)
  },
  'an expiry': async world => {
    await changeGallery(world, { ...owned, gallery: 'default', retentionDays: 1 })
    return services => deleteExpiredFaces({ ...services, now: () => Date.now() + YEAR_MS })
  },
  'a better picture of a face': async world => {
    const camera = await cameraOf(world)
    await enrol(world, { ...(await again(camera, 'first')), update: false }, [FACE])
    return async services => enrol(services, await again(camera, 'second'), [FACE])
  },
}

const all = [
  ...Object.entries(CHANGES).map(([what, change]) => ({ what, prepare: async () => change })),
  ...Object.entries(LATER_CHANGES).map(([what, prepare]) => ({ what, prepare })),
]

it.each(all)('$what waits until the lock of the owner is free', async ({ prepare }) => {
  const world = await emptyWorld()
  const faces: number[] = []
  for (const personId of [7, 7, 8]) faces.push(await enrolOne(world, FACE, { personId }))
  const change = await prepare(world)
  const [asked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ownerLock: OwnerLock = (...work) => {
    asked.resolve()
    return world.ownerLock(...work)
  }
  const holding = world.ownerLock(OWNER, () => free.promise)
  let isOver = false
  const changing = change({ ...world, ownerLock }, faces).finally(() => (isOver = true))
  await Promise.race([asked.promise, changing])
  expect(isOver).toBe(false)
  free.resolve()
  await Promise.all([holding, changing])
})
