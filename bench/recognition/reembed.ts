/** Measures the conversion of stored faces to another embedder: from the pack dlib to the standard pack. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
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
import { fixed, type Outcome, progress } from '../benchmark.ts'
import { sample } from '../harness/client.ts'
import { enrolment, given, OWNER } from '../harness/sample-faces.ts'

export const description =
  'conversion of stored faces to another embedder: faces per second, and the time of 100,000'

export const options = { faces: { type: 'string' } } as const

const FACES = 5_000

/** Faces per enrolment. */
const AT_ONCE = 50

/** The printed time refers to this number of faces. */
const REPORTED_FACES = 100_000

export async function run(values: { faces?: string }): Promise<Outcome> {
  const faces = Number(values.faces ?? FACES)
  const data = await mkdtemp(join(tmpdir(), 'mien-reembed-'))
  try {
    await fill(data, faces)
    const seconds = await converted(data)
    const perSecond = faces / seconds
    const result = {
      faces,
      seconds: fixed(seconds),
      perSecond: fixed(perSecond),
      minutesOf100000: fixed(REPORTED_FACES / perSecond / 60),
    }
    const table =
      `${faces} faces in ${result.seconds} s: ${result.perSecond} a second. ` +
      `${REPORTED_FACES} faces take ${result.minutesOf100000} minutes at that rate.`
    return { table, result }
  } finally {
    await rm(data, { recursive: true })
  }
}

/** Enrols faces with dlib's chip layout. Their vectors are arbitrary, because the conversion reads only pictures. */
async function fill(data: string, faces: number): Promise<void> {
  const stores = await openStores(data, { embedder: embedderLabel(DLIB_PACK) })
  const embed = async (chips: readonly Uint8Array[]) =>
    chips.map(() => Float32Array.from({ length: DLIB_PACK.embedder.dimension }, () => Math.random() - 0.5))
  const services = servicesOf(stores, {
    ...given,
    embed,
    scale: packScale(STANDARD.embedder.calibration.default),
  })
  await ownerNamed(services.database, { id: OWNER, name: 'bench', created: 0 })
  const chip = await chipOfSample()
  for (let from = 0; from < faces; from += AT_ONCE) {
    if (from % 1_000 === 0) progress(`${from} of ${faces} faces enrolled`)
    const question = enrolment(Math.min(AT_ONCE, faces - from))
    await enrol(
      services,
      question,
      question.faces.map(({ thumbnail: { width, height, face } }) => ({
        chip,
        thumbnail: { data: new Uint8Array(width * height * 3), width, height, face },
      })),
    )
  }
  await stores.close()
}

/** A chip with realistic detail, which determines the decoding time. */
async function chipOfSample() {
  const { size } = DLIB_CHIP
  const square = sharp(await sample(1)).extract({ left: 1266, top: 43, width: 600, height: 600 })
  const data = new Uint8Array(await square.resize(size, size).removeAlpha().raw().toBuffer())
  return { data, width: size, height: size, layout: layoutText(DLIB_CHIP) }
}

/** Seconds of the conversion alone. */
async function converted(data: string): Promise<number> {
  const stores = await openStores(data)
  const embedder = await openEmbedder()
  const next = await openNextGeneration(join(data, 'vectors'), embedderLabel(STANDARD_PACK))
  const began = performance.now()
  const { faces } = await convert({
    stores,
    next,
    chip: STANDARD.embedder.chip,
    embed: embedder.embed,
    onProgress: (done, total) => void (done % 1_024 === 0 && progress(`${done} of ${total} faces converted`)),
  })
  const seconds = (performance.now() - began) / 1_000
  if (faces.length > 0) throw new Error(`${faces.length} faces could not be converted`)
  await Promise.all([embedder.close(), next.close(), stores.close()])
  return seconds
}
