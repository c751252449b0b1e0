/** Measures the accuracy of gender, age and emotions on labelled faces. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { EMOTIONS } from '#contract/model/attributes.ts'
import { openEstimator } from '#core/embedding/estimator.ts'
import { benchmark, existing, tell } from '../benchmark.ts'
import { facesOn, openAnalysis } from '../lib/faces/analysis.ts'
import { fixed, mean } from '../statistics.ts'

/** Minimum side in pixels: smaller pictures are enlarged. Emotion pictures have 48 px, too few for the detector. */
const LEAST_SIDE = 192

/** Attributes of a face, labelled or estimated. */
interface Said {
  age?: number
  gender?: string
  emotion?: string
}

/** A picture with its label, and the estimates; undefined when no face was found. */
interface Judged {
  known: Said
  said: Said | undefined
}

export default benchmark({
  description: 'accuracy of gender, age and emotions on labelled faces',
  options: {
    /** Holds `age-gender/AGE_GENDER_*.jpg` and `emotion/NAME/*.jpg`. */
    images: '../shared/data/attributes',
    /** Maximum number of faces with ages, and of each emotion; 0 for all. */
    limit: 0,
  },
  async run({ images, limit }, rig) {
    const folder = await existing(images)
    const [models, estimator] = [await openAnalysis(), await openEstimator()]
    rig.defer(() => estimator.close())
    const pictures = await labelledPictures(folder, limit || Number.POSITIVE_INFINITY)
    const judged: Judged[] = []
    for (const { path, known } of pictures) {
      tell(judged.length, pictures.length)
      const [face] = await facesOn(models, await enlarged(path), { selector: 'biggest' })
      const [read] = face ? await estimator.estimate([face], { age: true, gender: true, emotions: true }) : []
      judged.push({
        known,
        said: read && { age: read.age!, gender: read.gender!, emotion: read.emotions![0]! },
      })
    }
    return { pictures: pictures.length, ...figuresOf(judged) }
  },
})

async function enlarged(path: string) {
  const file = await readFile(path)
  const { width } = await sharp(file).metadata()
  return sharp(file)
    .resize(Math.max(width, LEAST_SIDE), null, { kernel: 'cubic' })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** UTKFace: the second part of a file name. */
const GENDERS: Readonly<Record<string, string>> = { 0: 'male', 1: 'female' }

async function labelledPictures(folder: string, limit: number): Promise<{ path: string; known: Said }[]> {
  const labelled = async (kind: string, knownOf: (name: string) => Said) => {
    const names = (await readdir(join(folder, kind))).sort()
    const step = Math.max(1, Math.ceil(names.length / limit))
    return names
      .filter((_, i) => i % step === 0)
      .map(name => ({ path: join(folder, kind, name), known: knownOf(name) }))
  }
  const aged = labelled('age-gender', name => {
    const [age = '', gender = ''] = name.split('_')
    return { age: Number(age), gender: GENDERS[gender] ?? '' }
  })
  const moods = EMOTIONS.map(emotion => labelled(join('emotion', emotion), () => ({ emotion })))
  return (await Promise.all([aged, ...moods])).flat()
}

/** Errors in years, shares as 0..1. Age and gender refer to pictures with a face found, emotions to all. */
function figuresOf(judged: readonly Judged[]) {
  const aged = judged.filter(({ known, said }) => known.age !== undefined && said)
  const moods = judged.filter(({ known }) => known.emotion !== undefined)
  const right = (some: readonly Judged[], name: 'gender' | 'emotion') =>
    fixed(some.filter(({ known, said }) => said?.[name] === known[name]).length / some.length, 3)
  return {
    agesFound: aged.length,
    ageError: fixed(mean(aged.map(({ known, said }) => Math.abs(known.age! - said!.age!))), 2),
    genderRight: right(aged, 'gender'),
    emotionsFound: moods.filter(({ said }) => said).length,
    emotionRight: right(moods, 'emotion'),
  }
}
