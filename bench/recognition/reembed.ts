/** Measures the conversion of stored faces to another embedder: from the pack dlib to the standard pack. */
import { join } from 'node:path'
import { packScale } from '#core/calibration/scale.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { embedderLabel, layoutText } from '#core/embedding/label.ts'
import { ownerNamed } from '#core/metadata/queries/owners.ts'
import { enrol } from '#core/operations/enrol.ts'
import { openStores, servicesOf } from '#core/operations/services.ts'
import { convert } from '#core/operations/upkeep/reembed.ts'
import { openNextGeneration } from '#core/vector-store/open.ts'
import { DLIB_CHIP, STANDARD } from '#models/manifest.ts'
import { DLIB_PACK, STANDARD_PACK } from '#models/packs.ts'
import { benchmark, progress } from '../benchmark.ts'
import { enrolment, given, OWNER } from '../harness/sample-faces.ts'
import { pixelsOf } from '../lib/faces/analysis.ts'
import { portrait } from '../photos.ts'
import { fixed, timed } from '../statistics.ts'

/** Faces per enrolment. */
const AT_ONCE = 50

export default benchmark({
  description: 'conversion of stored faces to another embedder: faces per second, and the time of 100,000',
  options: { faces: 5_000 },
  async run({ faces }, rig) {
    const data = await rig.folder()
    await fill(data, faces)
    const seconds = await converted(data)
    const perSecond = faces / seconds
    return {
      ...{ faces, seconds: fixed(seconds), perSecond: fixed(perSecond) },
      minutesOf100000: fixed(100_000 / perSecond / 60),
    }
  },
})

/** Enrols faces with dlib's chip layout. Their vectors are arbitrary, because the conversion reads only pictures. */
async function fill(data: string, faces: number): Promise<void> {
  const stores = await openStores(data, { embedder: embedderLabel(DLIB_PACK) })
  const embed = async (chips: readonly Uint8Array[]) =>
    chips.map(() => Float32Array.from({ length: DLIB_PACK.embedder.dimension }, () => Math.random() - 0.5))
  const scale = packScale(STANDARD.embedder.calibration.default)
  const services = servicesOf(stores, { ...given, embed, scale })
  await ownerNamed(services.database, { id: OWNER, name: 'bench', created: 0 })
  // Realistic detail determines the decoding time.
  const pixels = await pixelsOf((await portrait()).resize(DLIB_CHIP.size, DLIB_CHIP.size))
  const chip = { ...pixels, layout: layoutText(DLIB_CHIP) }
  for (let from = 0; from < faces; from += AT_ONCE) {
    if (from % 1_000 === 0) progress(`${from} of ${faces} faces enrolled`)
    const request = enrolment(Math.min(AT_ONCE, faces - from))
    const shown = request.faces.map(({ thumbnail: { width, height, face } }) => ({
      chip,
      thumbnail: { data: new Uint8Array(width * height * 3), width, height, face },
    }))
    await enrol(services, request, shown)
  }
  await stores.close()
}

/** Seconds of the conversion alone. */
async function converted(data: string): Promise<number> {
  const stores = await openStores(data)
  const embedder = await openEmbedder()
  const next = await openNextGeneration(join(data, 'vectors'), embedderLabel(STANDARD_PACK))
  const ms = await timed(async () => {
    const { faces } = await convert({
      ...{ stores, next, chip: STANDARD.embedder.chip, embed: embedder.embed },
      onProgress: (done, total) =>
        void (done % 1_024 === 0 && progress(`${done} of ${total} faces converted`)),
    })
    if (faces.length > 0) throw new Error(`${faces.length} faces could not be converted`)
  })
  await Promise.all([embedder.close(), next.close(), stores.close()])
  return ms / 1000
}
