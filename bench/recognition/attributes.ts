/** Measures the accuracy of gender, age and emotions on labelled faces, compared with the libraries of the same networks. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EMOTIONS } from '#contract/model/attributes.ts'
import { benchmark, existing } from '../benchmark.ts'
import { openPicture, ourChain, ourSquares, oursOnWhole, type Said } from '../lib/faces/attributes.ts'
import {
  type AttributePeer,
  faceApiOnWhole,
  humanByItself,
  humanOnSquares,
  humanOnWhole,
} from '../lib/peers/attributes.ts'
import { fixed, mean } from '../statistics.ts'

const PEERS: (() => Promise<AttributePeer>)[] = [
  ourChain,
  async () => humanOnSquares(await ourSquares()),
  humanByItself,
  oursOnWhole,
  humanOnWhole,
  faceApiOnWhole,
]

/** A picture with its label, and the estimates; undefined when no face was found. */
interface Labelled {
  path: string
  known: Said
  /** The squares of the emotion network were chosen on every second picture. The others are held out. */
  isHeldOut: boolean
}

interface Judged extends Labelled {
  said: Said | undefined
}

export default benchmark({
  description: 'accuracy of gender, age and emotions on labelled faces, compared with face-api and human',
  options: {
    images: '../shared/data/attributes',
    /** Maximum number of faces with ages, and of each emotion; 0 for all. */
    limit: 0,
  },
  async run({ images, limit }) {
    const folder = join(await existing(join(images, 'age-gender')), '..')
    const pictures = await labelledPictures(folder, limit || Number.POSITIVE_INFINITY)
    const figures: Record<string, ReturnType<typeof figuresOf>> = {}
    const confusions: Record<string, ReturnType<typeof confusion>> = {}
    for (const open of PEERS) {
      const { name, read } = await open()
      const judged: Judged[] = []
      for (const picture of pictures)
        judged.push({ ...picture, said: await read(await openPicture(picture.path)) })
      figures[name] = figuresOf(judged)
      confusions[name] = confusion(judged)
    }
    return { pictures: pictures.length, figures, confusions }
  },
})

/** UTKFace: the second part of a file name. */
const GENDERS: Readonly<Record<string, string>> = { 0: 'male', 1: 'female' }

/** `age-gender/AGE_GENDER_*.jpg` and `emotion/NAME/*.jpg` of a folder. */
async function labelledPictures(folder: string, limit: number): Promise<Labelled[]> {
  const labelled = async (kind: string, knownOf: (name: string) => Said): Promise<Labelled[]> => {
    const names = (await readdir(join(folder, kind))).sort()
    const step = Math.max(1, Math.ceil(names.length / limit))
    return names
      .filter((_, i) => i % step === 0)
      .map((name, i) => ({ path: join(folder, kind, name), known: knownOf(name), isHeldOut: i % 2 === 1 }))
  }
  const aged = labelled('age-gender', name => {
    const [age = '', gender = ''] = name.split('_')
    return { age: Number(age), gender: GENDERS[gender] ?? '' }
  })
  const moods = EMOTIONS.map(emotion => labelled(join('emotion', emotion), () => ({ emotion })))
  return (await Promise.all([aged, ...moods])).flat()
}

/**
 * Errors in years, shares as 0..1; null for attributes that the peer does not give. Age and gender refer to pictures
 * with a face found.
 */
function figuresOf(judged: readonly Judged[]) {
  const aged = judged.filter(({ known, said }) => known.age !== undefined && said?.age !== undefined)
  const moods = judged.filter(({ known }) => known.emotion !== undefined)
  const right = (some: readonly Judged[], name: 'gender' | 'emotion') =>
    some.length === 0
      ? null
      : fixed(some.filter(({ known, said }) => said?.[name] === known[name]).length / some.length, 3)
  const found = moods.filter(({ said }) => said !== undefined)
  const errors = aged.map(({ known, said }) => Math.abs(known.age! - said!.age!))
  return {
    agesFound: aged.length,
    ageError: aged.length === 0 ? null : fixed(mean(errors), 2),
    genderRight: right(aged, 'gender'),
    emotionsFound: found.length,
    emotionRight: right(moods, 'emotion'),
    emotionRightOfFound: right(found, 'emotion'),
    emotionRightChosenOn: right(
      moods.filter(({ isHeldOut }) => !isHeldOut),
      'emotion',
    ),
    emotionRightKeptAside: right(
      moods.filter(({ isHeldOut }) => isHeldOut),
      'emotion',
    ),
  }
}

/** Number of estimates by true and estimated emotion; `none` counts pictures without a face found. */
const confusion = (judged: readonly Judged[]): Record<string, Record<string, number>> =>
  Object.fromEntries(
    EMOTIONS.map(emotion => {
      const truly = judged.filter(({ known }) => known.emotion === emotion)
      const estimated = (name: string | undefined) =>
        truly.filter(({ said }) => said?.emotion === name).length
      const row = Object.fromEntries(EMOTIONS.map(name => [name, estimated(name)]))
      return [emotion, { ...row, none: truly.filter(({ said }) => !said).length }]
    }),
  )
