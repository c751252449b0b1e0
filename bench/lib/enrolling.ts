/** Enrolments in this process, without networks: colours instead of embeddings. */
import type { DatabaseAddress } from '#core/metadata/connection/address.ts'
import { ownerNamed } from '#core/metadata/queries/owners.ts'
import { enrol } from '#core/operations/enrol.ts'
import { openStores, type Services, servicesOf } from '#core/operations/services.ts'
import { enrolment, faceOf, given, OWNER } from '../harness/sample-faces.ts'
import type { Rig } from '../rig.ts'

const FACE = faceOf(1, 2, 3)

/** Services of core that keep no pictures, with metadata in a new folder or at a server, and an owner. */
export async function openServices(rig: Rig, database?: DatabaseAddress): Promise<Services> {
  const stores = await openStores(await rig.folder(), { database })
  rig.defer(() => stores.close())
  const services = { ...servicesOf(stores, given), keep: { pictures: false, photoNames: true } }
  await ownerNamed(services.database, { id: OWNER, name: 'bench', created: 0 })
  return services
}

/** Enrols one face, under a key if given. Resolves with its id. */
export async function enrolOne(services: Services, key?: string): Promise<number> {
  const request = enrolment(1, key === undefined ? {} : { idempotency: { key, requestHash: key } })
  return (await enrol(services, request, [FACE])).faces[0]!.id
}
