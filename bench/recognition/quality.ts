/** Measures how well the quality number predicts harm: whether a degraded picture still matches other pictures of its person. */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Matrix } from 'ml-matrix'
import sharp from 'sharp'
import type { Quality } from '#contract/model/face-details.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { shortfallsOf } from '#wasm/quality/quality-score.ts'
import { benchmark, existing, tell } from '../benchmark.ts'
import { facesOn, mostCentral, openAnalysis, picturesIn, pixelsOf } from '../lib/faces/analysis.ts'
import { DEGRADATIONS, type DegradationName, degraded } from '../lib/faces/degrade.ts'
import { labelOf } from '../lib/faces/read-faces.ts'
import { logisticRegression } from '../lib/statistics/logistic.ts'
import { evenly, fixed, mean } from '../statistics.ts'

/** Pictures of a person, and shares of the faces that are discarded, the lowest quality first. */
const PICTURES = 4
const DISCARDED = [0, 0.05, 0.1, 0.2] as const

/** Light of the pictures of the groups, as a share of the original one. */
const LIGHTS = [1, 0.5, 0.25, 0.12, 0.06] as const

/** Adults of each group. */
const ADULTS = 40

interface Face {
  quality: Quality
  unit: Float32Array
}

/** A picture of a person. `face` is absent when no face is found. */
interface Sample {
  person: string
  file: string
  isDegraded: boolean
  face?: Face
}

/** A found face, and the share of other original pictures of the person that it does not match. */
interface Judged {
  quality: Quality
  harm: number
}

export default benchmark({
  description:
    'quality of pictures against their harm to recognition, and the quality of ten groups in equal light',
  options: { images: '../shared/data/lfw-dev', groups: '../shared/data/attributes/groups', people: 300 },
  async run({ images, groups, people }) {
    const reader = await openReader()
    const samples = await samplesOf(reader, await existing(images), people)
    const medium = STANDARD_PACK.embedder.calibration!.default.find(
      ([, confidence]) => confidence === 0.6616,
    )![0]
    const judged = samples.flatMap(sample => judge(sample, samples, medium))
    const byGroup = await groupsInLight(reader, await existing(groups))
    await reader.close()
    return {
      faces: judged.length,
      harmAfterDiscarding: Object.fromEntries(
        DISCARDED.map(share => [`${100 * share} %`, fixed(harmAfter(judged, share), 4)]),
      ),
      fit: fitOf(judged),
      groups: byGroup,
    }
  },
})

const names = Object.keys(DEGRADATIONS) as DegradationName[]

async function openReader() {
  const models = await openAnalysis()
  const embedder = await openEmbedder({ pack: STANDARD_PACK })
  return {
    async read(photo: Uint8Array) {
      const { width, height } = await sharp(photo).metadata()
      const face = mostCentral(await facesOn(models, photo, { quality: true }), { width, height })
      if (!face) return undefined
      const [vector] = await embedder.embed([face.chip])
      return { box: face.box, quality: face.quality!, unit: unitVector(vector!) }
    },
    close: () => embedder.close(),
  }
}

type Reader = Awaited<ReturnType<typeof openReader>>

/** Original pictures of people with several, and for each one a degraded one of a random kind and severity. */
async function samplesOf(reader: Reader, folder: string, people: number): Promise<Sample[]> {
  const files = (await picturesIn(folder)).filter(file => dirname(file) !== '.')
  const several = [...Map.groupBy(files, dirname)].filter(([, own]) => own.length > 1)
  const samples: Sample[] = []
  for (const [i, [person, own]] of evenly(several, people).entries()) {
    tell(i, people)
    for (const file of own.slice(0, PICTURES)) {
      const bytes = new Uint8Array(await readFile(join(folder, file)))
      const face = await reader.read(bytes)
      if (!face) continue
      samples.push({ person, file, isDegraded: false, face })
      const random = seededRandom(samples.length)
      const kind = names[Math.floor(random() * names.length)]!
      const pixels = { ...(await pixelsOf(sharp(bytes))), face: face.box }
      const worse = await reader.read(await degraded(pixels, kind, random(), samples.length))
      samples.push({ person, file, isDegraded: true, ...(worse && { face: worse }) })
    }
  }
  return samples
}

function judge({ person, file, face }: Sample, all: readonly Sample[], medium: number): Judged[] {
  const others = all.filter(
    other => other.person === person && other.file !== file && !other.isDegraded && other.face,
  )
  if (!face || others.length === 0) return []
  const missed = others.filter(other => dot(face.unit, other.face!.unit, 0) < medium)
  return [{ quality: face.quality, harm: missed.length / others.length }]
}

/** Mean harm after the share with the lowest quality is discarded. */
const harmAfter = (judged: readonly Judged[], share: number) =>
  mean(
    judged
      .toSorted((a, b) => a.quality.quality! - b.quality.quality!)
      .slice(Math.round(share * judged.length))
      .map(({ harm }) => harm),
  )

/** Constant and costs of the formula in wasm/quality/quality-score.ts: logistic regression of a match on the shortfalls. */
function fitOf(judged: readonly Judged[]) {
  const shortfalls = judged.map(({ quality }) => shortfallsOf(quality))
  const inputs = new Matrix(shortfalls.map(one => [1, ...Object.values(one).map(value => -value)]))
  const weights = logisticRegression(
    inputs,
    judged.map(({ harm }) => 1 - harm),
  )
  const [constant, ...costs] = weights.map(value => fixed(value, 3))
  return { constant, ...Object.fromEntries(Object.keys(shortfalls[0]!).map((name, i) => [name, costs[i]])) }
}

/** Mean quality of each group in each light, over adults whose face is found in all of them. */
async function groupsInLight(reader: Reader, folder: string) {
  const byGroup = Map.groupBy(await picturesIn(folder), file => labelOf(file)?.group)
  const rows: Record<string, string | number>[] = []
  for (const [group, files] of byGroup) {
    if (group === undefined) continue
    const found: number[][] = []
    for (const file of evenly(files, ADULTS)) {
      const bytes = new Uint8Array(await readFile(join(folder, file)))
      const face = await reader.read(bytes)
      if (!face) continue
      const pixels = { ...(await pixelsOf(sharp(bytes))), face: face.box }
      const inLight = await Promise.all(
        LIGHTS.map(
          async light =>
            (await reader.read(await degraded(pixels, 'darkness', (1 - light) / 0.97, 7)))?.quality.quality,
        ),
      )
      if (inLight.every(quality => quality !== undefined)) found.push(inLight)
    }
    const means = LIGHTS.map((light, i) => [`light ${light}`, fixed(mean(found.map(row => row[i]!)), 2)])
    rows.push({ group, adults: found.length, ...Object.fromEntries(means) })
  }
  return rows
}
