/**
 * A process that is killed during an operation: `node crash.child.ts DATA VERB STEP [FACE]`. The step is a call of a store,
 * such as `after vectors.remove 2` for the second call. Prints the answers on stdout.
 */

import { flushCompileCache } from 'node:module'
import { enrolment, faceOf, given, OWNER } from '#bench/harness/sample-faces.ts'
import { deleteFace, deleteFacesWithMeta, deleteGallery } from '#core/operations/delete-faces.ts'
import { enrol } from '#core/operations/enrol.ts'
import { mergePersons } from '#core/operations/persons/changes.ts'
import { openStores, type Services, servicesOf } from '#core/operations/services.ts'
import { updateFace } from '#core/operations/update-face.ts'

// A killed process keeps no compiled sources otherwise.
flushCompileCache()

const [, , data = '', verb = '', step = '', face = ''] = process.argv

const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  // The signal has been sent; the process must do nothing more.
  for (;;);
}

/** Wraps a store: the process dies before or after the call that `step` names. */
function dying<Store extends object>(name: string, store: Store): Store {
  const calls = new Map<PropertyKey, number>()
  return new Proxy(store, {
    get(target, method) {
      const value = Reflect.get(target, method, target)
      if (typeof value !== 'function' || method === 'select') return value
      return (...values: unknown[]) => {
        const nth = (calls.get(method) ?? 0) + 1
        calls.set(method, nth)
        const call = `${name}.${String(method)} ${nth}`
        if (step === `before ${call}`) die()
        const result = value.apply(target, values)
        if (step !== `after ${call}`) return result
        return result.then(die)
      }
    },
  })
}

const services = servicesOf(await openStores(data), given)
const { database, pictures, vectors } = services
const doomed: Services = {
  ...services,
  database: dying('database', database),
  vectors: dying('vectors', vectors),
  pictures: dying('pictures', {
    ...pictures,
    async write(faces) {
      await pictures.write(step === 'half of pictures.write' ? faces.slice(0, 1) : faces)
      if (step === 'half of pictures.write') die()
    },
  }),
}

const owner = OWNER
const id = Number(face)
const enrolTwo = () =>
  enrol(doomed, enrolment(2, { galleries: ['g'] }), [faceOf(200, 10, 10), faceOf(10, 10, 200)])

const VERBS: Record<string, () => Promise<unknown>> = {
  enrol: enrolTwo,
  change: () => updateFace(doomed, { owner, id, galleries: { kind: 'set', names: ['h'] } }),
  'forget face': () => deleteFace(doomed, { owner, id }),
  'forget meta': () => deleteFacesWithMeta(doomed, { owner, meta: 'm' }),
  'merge persons': () => mergePersons(doomed, { owner, id: 7, persons: [8] }),
  'delete gallery': () => deleteGallery(doomed, { owner, gallery: 'g' }),
  async 'enrol for ever'() {
    for (;;) {
      const { faces } = await enrolTwo()
      process.stdout.write(`${faces.map(face => face.id).join(' ')}\n`)
    }
  },
}
await VERBS[verb]?.()
die()
