/** Detects, verifies and identifies through the API of the running service, and draws boxes on a copy of the photo. */

import sharp from 'sharp'
import { type Box, boxOf, type DetectedFace, type Match } from '../../clients/typescript/src/index.ts'
import type { SearchTarget } from '../../contract/model/face.ts'
import { nameOfPerson } from '../../contract/model/person.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { photoOf } from '../terminal/bounded-file.ts'
import { printJson, UsageError } from '../terminal/command-line.ts'
import { clientOf } from '../terminal/connection.ts'
import { markupText } from '../terminal/markup.ts'
import { pathOf } from '../terminal/paths.ts'
import { type Cell, printTable } from '../terminal/table.ts'
import { DEFAULT_THRESHOLD, type ServiceOptions, type ThresholdOption } from './options.ts'

interface MatchOptions extends ServiceOptions {
  threshold: ThresholdOption
  selector: 'reject' | 'biggest' | 'all'
}

interface DetectOptions extends ServiceOptions {
  quality?: boolean
  liveness?: boolean
  attributes?: boolean
  draw?: string
}

export type VerifyOptions = MatchOptions

interface IdentifyOptions extends Omit<MatchOptions, 'threshold'> {
  threshold?: ThresholdOption
  fpir?: number
  target?: SearchTarget
  gallery?: string
  n: number
  draw?: string
}

/** A photo that is sent, and drawn if a file `out` is named. Throws UsageError for a URL that would be drawn. */
async function photoToDraw(given: string, out: string | undefined): Promise<File> {
  const photo = await photoOf(given)
  if (out !== undefined && typeof photo === 'string')
    throw new UsageError('--draw needs a photo that is a file.')
  return photo as File
}

/** Prints the faces of a photo. Returns 0, also for a photo without a face. */
export async function detect(options: DetectOptions, given: string): Promise<number> {
  const photo = await photoToDraw(given, options.draw)
  const { quality = false, liveness = false, attributes = false } = options
  const details = { quality, liveness, age: attributes, gender: attributes, emotions: attributes }
  const answer = await (await clientOf(options)).detect(photo, details)
  if (options.json) printJson(answer)
  else printTable(answer.faces.map(faceRow), answer.reason ?? 'There is no face.')
  if (options.draw !== undefined)
    await drawBoxes(
      photo,
      options.draw,
      answer.faces.map((box, i) => ({ box, label: String(i + 1) })),
    )
  return 0
}

function faceRow(face: DetectedFace, index: number): Record<string, Cell> {
  const { x1, y1, x2, y2, quality, liveness, age, gender, emotions } = face
  return {
    face: index + 1,
    box: `${x1},${y1},${x2},${y2}`,
    ...omitUndefined({ quality: quality?.quality, liveness, age, gender, emotions: emotions?.join(' ') }),
  }
}

/** Prints each compared pair. Returns 0 if a pair is of the same person, otherwise 1. */
export async function verify(options: VerifyOptions, photo1: string, photo2: string): Promise<number> {
  const { threshold, selector } = options
  const answer = await (await clientOf(options)).verify(await photoOf(photo1), await photoOf(photo2), {
    threshold,
    mf_selector: selector,
  })
  if (options.json) printJson(answer)
  else
    printTable(
      answer.results.map(({ bbox1, bbox2, confidence, verified }) => ({
        'face 1': cornersOf(bbox1),
        'face 2': cornersOf(bbox2),
        confidence,
        'same person': verified ? 'yes' : 'no',
      })),
      'There is no pair of faces.',
    )
  return answer.results.some(({ verified }) => verified) ? 0 : 1
}

/** Prints the matches of each face. Returns 0, also without a match. */
export async function identify(options: IdentifyOptions, given: string): Promise<number> {
  const photo = await photoToDraw(given, options.draw)
  const { threshold, fpir, target, selector, n, gallery } = options
  // The service bounds false alarms where nothing else is said. A search for faces has a threshold.
  const isBounded = fpir !== undefined || target === 'persons'
  const parameters = omitUndefined({
    n,
    mf_selector: selector,
    gallery,
    target,
    threshold: threshold ?? (isBounded ? undefined : DEFAULT_THRESHOLD),
    fpir,
  })
  const answer = await (await clientOf(options)).identify(photo, parameters)
  const faces = Object.entries(answer.results).map(([key, matches]) => ({ box: boxOf(key), matches }))
  if (options.json) printJson(answer)
  else
    printTable(
      faces.flatMap(({ box, matches }) => matchRows(cornersOf(box), matches, isBounded)),
      'There is no face.',
    )
  if (options.draw !== undefined)
    await drawBoxes(
      photo,
      options.draw,
      faces.map(({ box, matches: [best] }) => ({
        box,
        label: best === undefined ? '?' : isBounded ? whoOf(best) : best.face.meta,
      })),
    )
  return 0
}

/** A row for each match, or for no match. `isBounded`: with who it is and how sure that is, instead of the meta. */
function matchRows(face: string, matches: readonly Match[], isBounded: boolean): Record<string, Cell>[] {
  const found = matches.length === 0 ? [undefined] : matches
  return found.map(match => ({
    face,
    ...(isBounded
      ? { who: match ? whoOf(match) : 'unknown' }
      : { meta: match ? match.face.meta : '(no match)' }),
    confidence: match?.confidence ?? '',
    id: match?.face.id ?? '',
    galleries: match?.face.galleries.join(', ') ?? '',
  }))
}

const VERDICTS = { certain: 'certain', probable: 'probably' } as const

/** For example `Ann Lee: certain`. */
function whoOf({ person, face, verdict }: Match) {
  const unnamed = person ? `person ${person.id}` : `face ${face.id}`
  return `${nameOfPerson(person?.meta ?? '') || face.meta || unnamed}: ${verdict ? VERDICTS[verdict] : 'weak'}`
}

/** The box as --bbox parameters of the API take it. */
const cornersOf = ({ x1, y1, x2, y2 }: Box) => `${x1},${y1},${x2},${y2}`

interface LabelledBox {
  box: Box
  label: string
}

/** Characters of a label that are drawn. A longer one would hide the neighbours. */
const LABEL_LENGTH = 40

/** Writes an upright copy of the photo with its boxes. Throws an Error for the operator if the file can't be written. */
export async function drawBoxes(photo: File, out: string, boxes: readonly LabelledBox[]): Promise<void> {
  const upright = sharp(await photo.arrayBuffer()).autoOrient()
  const { width, height } = (await upright.clone().toBuffer({ resolveWithObject: true })).info
  const svg = boxesSvg(width, height, boxes)
  const path = pathOf(out)
  await upright
    .composite([{ input: Buffer.from(svg) }])
    .toFile(path)
    .catch(cause => {
      throw new Error(`${path} can't be written.`, { cause })
    })
}

/** The boxes as an SVG picture of the photo's size. */
export function boxesSvg(width: number, height: number, boxes: readonly LabelledBox[]): string {
  const line = Math.max(2, Math.round(Math.max(width, height) / 400))
  const size = 8 * line
  const shapes = boxes.map(({ box: { x1, y1, x2, y2 }, label }) => {
    const baseline = y1 < 2 * size ? y2 + size + line : y1 - 2 * line
    const text = `x="${x1}" y="${baseline}" font-family="sans-serif" font-weight="bold" font-size="${size}"`
    const words = markupText([...label].slice(0, LABEL_LENGTH).join(''))
    return (
      `<rect x="${x1}" y="${y1}" width="${x2 - x1}" height="${y2 - y1}" fill="none" stroke="#ffd400" stroke-width="${line}"/>` +
      // The outline keeps the label legible on any background.
      `<text ${text} stroke="#000" stroke-width="${line}">${words}</text><text ${text} fill="#ffd400">${words}</text>`
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join('')}</svg>`
}
