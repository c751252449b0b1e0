/** A process that enrols and is killed while at it: `node crash.child.ts DATA STEP`. Says on stdout what it was told. */
import { enrol } from '../../../core/recognition/enrol.ts'
import { openStores, partsOf } from '../../../core/recognition/parts.ts'
import { enrolment, faceOf, given } from './samples.ts'

const [, , data = '', step = ''] = process.argv

const die = (): never => {
  process.kill(process.pid, 'SIGKILL')
  // The signal has been sent; nothing more may happen here.
  for (;;);
}

const parts = partsOf(await openStores(data), given)
const { pictures, vectors } = parts
const question = (i: number) => enrolment(2, { galleries: ['g'], meta: String(i) })
const pixels = [faceOf(200, 10, 10), faceOf(10, 10, 200)]

const dying = {
  ...parts,
  pictures: {
    ...pictures,
    async write(faces: Parameters<typeof pictures.write>[0]) {
      await pictures.write(step === 'half of the pictures' ? faces.slice(0, 1) : faces)
      if (step === 'half of the pictures' || step === 'the pictures') die()
    },
  },
  vectors: Object.assign(Object.create(vectors), {
    async add(entries: Parameters<typeof vectors.add>[0]) {
      await vectors.add(entries)
      if (step === 'the vectors') die()
    },
  }),
}

if (step === 'any moment') {
  for (let i = 0; ; i++) {
    const { faces } = await enrol(parts, question(i), pixels)
    process.stdout.write(`${faces.map(face => face.id).join(' ')}\n`)
  }
}
await enrol(dying, question(0), pixels)
die()
