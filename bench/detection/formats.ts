/** Analyzes one photo in several file formats: checks that each gives the same faces, boxes and scores. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { type Box, overlap } from '#contract/model/bbox.ts'
import { packScale } from '#core/calibration/scale.ts'
import { type Embedder, openEmbedder } from '#core/embedding/embedder.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { STANDARD } from '#models/manifest.ts'
import { readHeader, uprightSize } from '#wasm/decode/header.ts'
import { analyzePhoto, type VisionModels } from '#wasm/pipeline.ts'
import { exists, fixed, fromCaller, numbers, type Outcome, progress, table } from '../benchmark.ts'
import { apart, openTestModels } from '../harness/vision.ts'

export const description =
  'one photo as PNG, JPEG and WEBP: differences of detected faces, by size and format'

export const options = {
  images: { type: 'string' },
  sizes: { type: 'string' },
  photos: { type: 'boolean' },
} as const

/** Formats compared with a PNG of the same pixels. */
const FORMATS: Record<string, (image: Sharp) => Sharp> = {
  'JPEG 95': image => image.jpeg({ quality: 95 }),
  'JPEG 80': image => image.jpeg({ quality: 80 }),
  'WEBP 95': image => image.webp({ quality: 95, effort: 0 }),
  'WEBP lossless': image => image.webp({ lossless: true, effort: 0 }),
}

/** Allowed differences between two files of one photo: pixels of the photo, score, confidence. */
const MOST = { pixels: 2, score: 0.02, confidence: 0.02 }

/** Megapixels. */
const SIZES = '0.3,1,4,12'

const ENOUGH_OVERLAP = 0.35

const scale = packScale(STANDARD.embedder.calibration.default)

/** A face as an analysis reports it. */
interface ReportedFace {
  box: Box
  /** Score of the detection. */
  score: number
  embedding: Float32Array
}

/** Changes of a face found in both files: maximum shift of an edge, score, and confidence against a face of the PNG. */
type Change = Record<keyof typeof MOST, number>

/** Comparison of one file with the PNG. */
interface Compared {
  format: string
  both: Change[]
  /** Number of faces found in only one of the two files. */
  one: number
}

export async function run(values: {
  /** A folder of photos. */
  images?: string
  /** Sizes in megapixels to which photos are scaled. */
  sizes?: string
  /** Also names the photos that differ. */
  photos?: boolean
}): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/photos/groups')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }
  const [models, embedder] = [await openTestModels(), await openEmbedder()]
  try {
    const photos = (await readdir(images)).filter(file => /\.(jpe?g|png|webp)$/i.test(file)).sort()
    const rows: Row[] = []
    for (const size of numbers(values.sizes ?? SIZES)) {
      const compared: Compared[] = []
      for (const photo of photos) {
        const ones = await compareFormats(models, embedder, await readFile(join(images, photo)), size)
        if (values.photos)
          for (const one of ones.filter(differs)) progress(`${photo}, ${size} Mpx: ${JSON.stringify(one)}`)
        compared.push(...ones)
      }
      for (const [format, ones] of Map.groupBy(compared, ({ format }) => format))
        rows.push(rowOf(size, format, ones))
      progress(`${photos.length} photos of ${size} Mpx`)
    }
    return { table: tableOf(rows), result: { photos: photos.length, most: MOST, rows } }
  } finally {
    await embedder.close()
  }
}

async function compareFormats(
  models: VisionModels,
  embedder: Embedder,
  bytes: Uint8Array,
  megapixels: number,
): Promise<Compared[]> {
  const png = await resized(bytes, megapixels)
  const plain = await reportedFaces(models, embedder, png)
  const compared: Compared[] = []
  for (const [format, save] of Object.entries(FORMATS)) {
    const other = await reportedFaces(models, embedder, await save(sharp(png)).toBuffer())
    compared.push({ format, ...changes(plain, other) })
  }
  return compared
}

/** The upright photo scaled to this many megapixels, as PNG. */
async function resized(bytes: Uint8Array, megapixels: number): Promise<Buffer> {
  const { width, height } = uprightSize(readHeader(bytes))
  const scale = Math.sqrt((megapixels * 1e6) / (width * height))
  return sharp(bytes)
    .autoOrient()
    .flatten()
    .resize(Math.round(scale * width), Math.round(scale * height), { fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

async function reportedFaces(
  models: VisionModels,
  embedder: Embedder,
  bytes: Uint8Array,
): Promise<ReportedFace[]> {
  const everyFace = { selector: 'any' as const, boxes: [], quality: true }
  const { selected } = await analyzePhoto(models, new Uint8Array(bytes), everyFace, {
    maxBytes: 2 ** 32,
    param: 'photo',
  })
  const embeddings = await embedder.embed(selected.map(({ chip }) => chip))
  return selected.map(({ box, quality }, i) => ({ box, score: quality!.score!, embedding: embeddings[i]! }))
}

function changes(plain: readonly ReportedFace[], other: readonly ReportedFace[]): Omit<Compared, 'format'> {
  const partners = plain.map(face => other.find(({ box }) => overlap(box, face.box) >= ENOUGH_OVERLAP))
  const both = plain.flatMap((face, i) => (partners[i] ? [change(face, partners[i], plain)] : []))
  return { both, one: plain.length + other.length - 2 * both.length }
}

function change(a: ReportedFace, b: ReportedFace, all: readonly ReportedFace[]): Change {
  const changed = all.map(face => Math.abs(confidence(a, face) - confidence(b, face)))
  return {
    pixels: apart(a.box, b.box),
    score: Math.abs(a.score - b.score),
    confidence: Math.max(...changed),
  }
}

function confidence({ embedding: a }: ReportedFace, { embedding: b }: ReportedFace): number {
  const { score, confidence } = scale.with(a)
  return confidence(score(dot(unitVector(a), unitVector(b), 0), b))
}

const differs = ({ both, one }: Compared): boolean =>
  one > 0 || both.some(face => CHANGES.some(what => face[what] > MOST[what]))

/** Results for photos of one size in one format, compared with PNG. */
interface Row {
  size: number
  format: string
  /** Faces found in both files. */
  faces: number
  /** Faces found in only one of the two files. */
  one: number
  /** Faces in both files that change by more than allowed. */
  beyond: Change
  worst: Change
}

const CHANGES = Object.keys(MOST) as (keyof Change)[]

const eachChange = (of: (what: keyof Change) => number): Change => ({
  pixels: of('pixels'),
  score: of('score'),
  confidence: of('confidence'),
})

const rowOf = (size: number, format: string, compared: readonly Compared[]): Row => {
  const faces = compared.flatMap(({ both }) => both)
  return {
    size,
    format,
    faces: faces.length,
    one: compared.reduce((sum, { one }) => sum + one, 0),
    beyond: eachChange(what => faces.filter(face => face[what] > MOST[what]).length),
    worst: eachChange(what => fixed(Math.max(0, ...faces.map(face => face[what])), 4)),
  }
}

const tableOf = (rows: readonly Row[]): string =>
  table([
    [
      'Mpx',
      'beside PNG',
      'faces',
      'in one only',
      ...CHANGES.flatMap(what => [`${what} > ${MOST[what]}`, 'worst']),
    ],
    ...rows.map(({ size, format, faces, one, beyond, worst }) => [
      size,
      format,
      faces,
      one,
      ...CHANGES.flatMap(what => [beyond[what], worst[what]]),
    ]),
  ])
