/**
 * Measures the accuracy of gender, age and emotions on labelled faces, compared with the libraries of the same
 * networks.
 */
import { join } from 'node:path'
import { EMOTIONS } from '#contract/model/attributes.ts'
import { exists, fixed, fromCaller, type Outcome, table } from '../benchmark.ts'
import {
  type Half,
  type Labelled,
  labelledPictures,
  openPicture,
  type Said,
} from '../lib/faces/labelled-attributes.ts'
import { ourChain, ourSquares, oursOnWhole } from '../lib/faces/read-attributes.ts'
import {
  type AttributePeer,
  faceApiOnWhole,
  humanByItself,
  humanOnSquares,
  humanOnWhole,
} from '../lib/peers/attributes.ts'

export const description =
  'accuracy of gender, age and emotions on labelled faces, compared with face-api and human'

export const options = {
  images: { type: 'string' },
  limit: { type: 'string' },
} as const

const PEERS: (() => Promise<AttributePeer>)[] = [
  ourChain,
  async () => humanOnSquares(await ourSquares()),
  humanByItself,
  oursOnWhole,
  humanOnWhole,
  faceApiOnWhole,
]

/** A picture and its estimates; undefined when no face was found. */
interface Judged extends Labelled {
  said: Said | undefined
}

export async function run(values: { images?: string; limit?: string }): Promise<Outcome> {
  const folder = fromCaller(values.images ?? '../shared/data/attributes')
  if (!(await exists(join(folder, 'age-gender'))))
    return { table: `skipped: there is no ${folder}`, result: { skipped: true } }
  const pictures = await labelledPictures(
    folder,
    values.limit === undefined ? undefined : Number(values.limit),
  )

  const rows: Record<string, ReturnType<typeof figures>> = {}
  const confusions: Record<string, number[][]> = {}
  for (const open of PEERS) {
    const peer = await open()
    const judged = await judgeAll(peer, pictures)
    rows[peer.name] = figures(judged)
    confusions[peer.name] = confusion(judged)
  }
  const ours = Object.keys(rows)[0]!
  const head = [
    '',
    ...['age: found', 'MAE', 'gender: right', 'emotion: found', 'right of all', 'right of found'],
    ...['half chosen on', 'half kept aside'],
  ]
  const body = Object.entries(rows).map(([name, row]) => [
    name,
    ...Object.values(row).map(value => value ?? '-'),
  ])
  return {
    table: [
      `${pictures.length} pictures of ${folder}`,
      table([head, ...body]),
      `${ours}: emotions, a row for each true one`,
      table([['', ...EMOTIONS, 'none'], ...confusions[ours]!.map((row, i) => [EMOTIONS[i]!, ...row])]),
    ].join('\n\n'),
    result: { pictures: pictures.length, emotions: EMOTIONS, figures: rows, confusions },
  }
}

async function judgeAll(peer: AttributePeer, pictures: readonly Labelled[]): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const picture of pictures)
    judged.push({ ...picture, said: await peer.read(await openPicture(picture.path)) })
  return judged
}

/**
 * Errors in years, shares as 0..1; null for attributes that the peer does not give. Age and gender refer to pictures
 * with a face found.
 */
function figures(judged: readonly Judged[]) {
  const found = judged.filter(({ said }) => said !== undefined)
  const aged = found.filter(({ known, said }) => known.age !== undefined && said?.age !== undefined)
  const moods = judged.filter(({ known }) => known.emotion !== undefined)
  const moodsFound = moods.filter(({ said }) => said !== undefined)
  const right = (some: readonly Judged[], name: 'gender' | 'emotion') =>
    some.filter(({ known, said }) => said?.[name] === known[name]).length
  const share = (part: number, whole: number) => (whole === 0 ? null : fixed(part / whole, 3))
  const rightOfHalf = (half: Half) => {
    const some = moods.filter(mood => mood.half === half)
    return share(right(some, 'emotion'), some.length)
  }
  const errors = aged.map(({ known, said }) => Math.abs(known.age! - said!.age!))
  return {
    agesFound: aged.length,
    ageError:
      aged.length === 0 ? null : fixed(errors.reduce((sum, error) => sum + error, 0) / aged.length, 2),
    genderRight: share(right(aged, 'gender'), aged.length),
    emotionsFound: moodsFound.length,
    emotionRight: share(right(moods, 'emotion'), moods.length),
    emotionRightOfFound: share(right(moods, 'emotion'), moodsFound.length),
    emotionRightChosenOn: rightOfHalf('chosen on'),
    emotionRightKeptAside: rightOfHalf('kept aside'),
  }
}

/** [true emotion][estimated emotion] in the contract's order; the last column counts pictures without a face found. */
const confusion = (judged: readonly Judged[]): number[][] =>
  EMOTIONS.map(emotion => {
    const truly = judged.filter(({ known }) => known.emotion === emotion)
    const counts = EMOTIONS.map(name => truly.filter(({ said }) => said?.emotion === name).length)
    return [...counts, truly.filter(({ said }) => said === undefined).length]
  })
