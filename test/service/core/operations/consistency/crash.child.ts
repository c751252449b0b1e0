/** Enrols two faces again and again until it is killed: `node crash.child.ts DATA`. Prints their ids, a line for each answer. */

import { enrol } from '#core/operations/faces/enrol.ts'
import { servicesOf } from '#core/operations/services.ts'
import { openStores } from '#core/stores.ts'
import { enrolment, faceOf, given } from '#test/support/sample-faces.ts'

const services = servicesOf(await openStores(process.argv[2]!), given)
for (;;) {
  const pixels = [faceOf(200, 10, 10), faceOf(10, 10, 200)]
  const { faces } = await enrol(services, enrolment(2, { galleries: ['g'] }), pixels)
  process.stdout.write(`${faces.map(face => face.id).join(' ')}\n`)
}
