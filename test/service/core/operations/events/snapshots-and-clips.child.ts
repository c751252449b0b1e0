/** Replaces the clip of a face again and again until it is killed: `node snapshots-and-clips.child.ts DATA FACE`. Prints a line for each answer. */

import { putFootage } from '#core/operations/events/snapshots-and-clips.ts'
import { servicesOf } from '#core/operations/services.ts'
import { openStores } from '#core/stores.ts'
import { OWNER, testServices } from '#test/support/sample-faces.ts'

const services = servicesOf(await openStores(process.argv[2]!), testServices)
const request = { owner: OWNER, id: Number(process.argv[3]), kind: 'clip' } as const
for (let round = 1; ; round++) {
  await putFootage(services, request, new Uint8Array(8 * 2 ** 20).fill(round % 256))
  process.stdout.write(`${round}\n`)
}
