/** Measures how clearness tells plain faces from covered ones, and fits its regression. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Matrix } from 'ml-matrix'
import { clearnessSigns, loadEmbedder, networkVectors } from '#core/embedding/embed-batch.ts'
import { FOUNDING_QUALITY } from '#core/metadata/persons/template-faces.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { readerOf } from '#models/files.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { benchmark, existing, tell } from '../benchmark.ts'
import { facesOn, mostCentral, openAnalysis, picturesIn } from '../lib/faces/analysis.ts'
import { COVERINGS, type CoveringName } from '../lib/faces/cover.ts'
import { keepModelFile } from '../lib/faces/keep-model-file.ts'
import { labelOf } from '../lib/faces/read-faces.ts'
import { chanceOf, logisticRegression } from '../lib/statistics/logistic.ts'
import { evenly, fixed, mean, median, quantile } from '../statistics.ts'

/** Penalty of the regression. Half or double change no figure by a hundredth. */
const RIDGE = 1
/** Share of plain faces that stay below the quality of a founder. */
const PLAIN_BELOW = 0.02

const names = Object.keys(COVERINGS) as CoveringName[]

/** The signs of a face as it is and covered, and its group. Glasses cover nothing. */
interface Face {
  readonly group: string
  readonly plain: Float32Array
  readonly covered: Readonly<Record<CoveringName, Float32Array>>
}

export default benchmark({
  description: 'clearness of plain and covered faces, by kind of covering and by group',
  options: {
    /** A folder of pictures per person, and labelled adults. One half of each is fitted, and the other half judges the fit. */
    images: '../shared/data/lfw-dev',
    groups: '../shared/data/attributes/groups',
    /** Pictures that are read of each folder. */
    pictures: 1500,
    /** Writes the regression of all faces to models/, and its hash to the manifest. */
    update: false,
  },
  async run({ images, groups, pictures, update }) {
    const faces = [
      ...(await readCovered(await existing(images), pictures)),
      ...(await readCovered(await existing(groups), pictures)),
    ]
    const [learnt, judged] = [0, 1].map(half => faces.filter((_, i) => i % 2 === half))
    const regression = fitRegression(learnt!)
    const clearnessOf = (signs: Float32Array) => chanceOf(logitOf(regression, signs))
    const row = (values: readonly number[]) => ({
      faces: values.length,
      median: fixed(median(values), 3),
      belowFounder: fixed(mean(values.map(value => Number(value < FOUNDING_QUALITY))), 3),
    })
    const plain = Map.groupBy(judged!, ({ group }) => group)
    return {
      kept: update
        ? await keepModelFile(STANDARD_PACK.embedder.clearness!.file, Float32Array.from(fitRegression(faces)))
        : 'no',
      covered: names.map(name => ({
        name,
        ...row(judged!.map(({ covered }) => clearnessOf(covered[name]))),
      })),
      plain: [...plain].map(([group, own]) => ({
        group,
        ...row(own.map(({ plain }) => clearnessOf(plain))),
      })),
    }
  },
})

/** The central face of so many pictures of a folder. */
async function readCovered(folder: string, pictures: number): Promise<Face[]> {
  const models = await openAnalysis()
  const embedder = await loadEmbedder(STANDARD_PACK.embedder, readerOf(STANDARD_PACK.files))
  const signsOf = async (chip: Uint8Array) => clearnessSigns((await networkVectors(embedder, chip))[0]!)
  const files = evenly(await picturesIn(folder), pictures)
  const faces: Face[] = []
  for (const [i, file] of files.entries()) {
    tell(i, files.length)
    const bytes = new Uint8Array(await readFile(join(folder, file)))
    const chip = mostCentral(await facesOn(models, bytes), readHeader(bytes))?.chip
    if (!chip) continue
    const random = seededRandom(i + 1)
    const covered: Record<string, Float32Array> = {}
    for (const name of names) covered[name] = await signsOf(COVERINGS[name](chip, random))
    faces.push({
      group: labelOf(file)?.group ?? 'LFW',
      plain: await signsOf(chip),
      covered: covered as Face['covered'],
    })
  }
  return faces
}

/** Weights of the signs, then a constant with which PLAIN_BELOW of the plain faces stay below FOUNDING_QUALITY. */
function fitRegression(faces: readonly Face[]): number[] {
  const rows = faces.flatMap(({ plain, covered }) => [plain, ...names.map(name => covered[name])])
  const inputs = new Matrix(rows.map(signs => [...signs, 1]))
  const isPlain = [true, ...names.map(name => name === 'glasses')]
  const outcomes = rows.map((_, i) => Number(isPlain[i % isPlain.length]))
  const weights = logisticRegression(inputs, outcomes, { ridge: RIDGE })
  const logits = faces.map(({ plain }) => logitOf(weights, plain))
  const founder = Math.log(FOUNDING_QUALITY / (1 - FOUNDING_QUALITY))
  return [...weights.slice(0, -1), weights.at(-1)! + founder - quantile(logits, PLAIN_BELOW)]
}

const logitOf = (regression: readonly number[], signs: Float32Array) =>
  regression.reduce((sum, weight, i) => sum + weight * (signs[i] ?? 1), 0)
