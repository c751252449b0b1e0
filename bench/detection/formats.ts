/** Analyzes one photo in several file formats: checks that each gives the same faces, boxes and scores. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { type Box, overlap } from '#contract/model/bbox.ts'
import { packScale } from '#core/calibration/scale.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { STANDARD } from '#models/manifest.ts'
import { readHeader, uprightSize } from '#wasm/decode/header.ts'
import { benchmark, existing, numbers, progress } from '../benchmark.ts'
import { apart, openTestModels } from '../harness/vision.ts'
import { facesOn, picturesIn } from '../lib/faces/analysis.ts'
import { fixed, sum } from '../statistics.ts'

/** Formats compared with a PNG of the same pixels. */
const FORMATS: Record<string, (image: Sharp) => Sharp> = {
  'JPEG 95': image => image.jpeg({ quality: 95 }),
  'JPEG 80': image => image.jpeg({ quality: 80 }),
  'WEBP 95': image => image.webp({ quality: 95, effort: 0 }),
  'WEBP lossless': image => image.webp({ lossless: true, effort: 0 }),
}

/** Allowed differences between two files of one photo: pixels of the photo, score, confidence. */
const MOST = { pixels: 2, score: 0.02, confidence: 0.02 }

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

const CHANGES = Object.keys(MOST) as (keyof Change)[]

export default benchmark({
  description: 'one photo as PNG, JPEG and WEBP: differences of detected faces, by size and format',
  options: {
    /** A folder of photos. */
    images: '../shared/data/photos/groups',
    /** Maximum number of photos; 0 for all. */
    limit: 0,
    /** Megapixels to which photos are scaled. */
    sizes: '0.3,1,4,12',
    /** Also names the photos that differ. */
    photos: false,
  },
  async run({ images, limit, sizes, photos: isNamed }, rig) {
    const folder = await existing(images)
    const [models, embedder] = [await openTestModels(), await openEmbedder()]
    rig.defer(() => embedder.close())
    const reported = async (bytes: Uint8Array): Promise<ReportedFace[]> => {
      const faces = await facesOn(models, bytes, { selector: 'any', quality: true })
      const embeddings = await embedder.embed(faces.map(({ chip }) => chip))
      return faces.map(({ box, quality }, i) => ({ box, score: quality!.score!, embedding: embeddings[i]! }))
    }
    const compare = async (photo: string, size: number): Promise<Compared[]> => {
      const png = await resized(await readFile(join(folder, photo)), size)
      const plain = await reported(png)
      const compared: Compared[] = []
      for (const [format, save] of Object.entries(FORMATS))
        compared.push({ format, ...changes(plain, await reported(await save(sharp(png)).toBuffer())) })
      if (isNamed)
        for (const one of compared.filter(differs)) progress(`${photo}, ${size} Mpx: ${JSON.stringify(one)}`)
      return compared
    }
    const photos = (await picturesIn(folder)).slice(0, limit || undefined)
    const rows = []
    for (const size of numbers(sizes)) {
      const compared: Compared[] = []
      for (const photo of photos) compared.push(...(await compare(photo, size)))
      for (const [format, ones] of Map.groupBy(compared, ({ format }) => format))
        rows.push({ size, format, ...summary(ones) })
      progress(`${photos.length} photos of ${size} Mpx`)
    }
    return { photos: photos.length, most: MOST, rows }
  },
})

/** The upright photo scaled to this many megapixels, as PNG. */
async function resized(bytes: Uint8Array, megapixels: number): Promise<Buffer> {
  const { width, height } = uprightSize(readHeader(bytes))
  const scale = Math.sqrt((megapixels * 1e6) / (width * height))
  const upright = sharp(bytes).autoOrient().flatten()
  return upright
    .resize(Math.round(scale * width), Math.round(scale * height), { fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

function changes(plain: readonly ReportedFace[], other: readonly ReportedFace[]): Omit<Compared, 'format'> {
  const partners = plain.map(face => other.find(({ box }) => overlap(box, face.box) >= ENOUGH_OVERLAP))
  const both = plain.flatMap((face, i) => (partners[i] ? [change(face, partners[i], plain)] : []))
  return { both, one: plain.length + other.length - 2 * both.length }
}

const change = (a: ReportedFace, b: ReportedFace, all: readonly ReportedFace[]): Change => ({
  pixels: apart(a.box, b.box),
  score: Math.abs(a.score - b.score),
  confidence: Math.max(...all.map(face => Math.abs(confidence(a, face) - confidence(b, face)))),
})

function confidence({ embedding: a }: ReportedFace, { embedding: b }: ReportedFace): number {
  const { score, confidence } = scale.with(a)
  return confidence(score(dot(unitVector(a), unitVector(b), 0), b))
}

const differs = ({ both, one }: Compared): boolean =>
  one > 0 || both.some(face => CHANGES.some(what => face[what] > MOST[what]))

/** Faces in both files and in one only; those that change by more than allowed, and the greatest change. */
function summary(compared: readonly Compared[]) {
  const faces = compared.flatMap(({ both }) => both)
  const eachChange = (of: (what: keyof Change) => number) =>
    Object.fromEntries(CHANGES.map(what => [what, of(what)]))
  return {
    faces: faces.length,
    one: sum(compared.map(({ one }) => one)),
    beyond: eachChange(what => faces.filter(face => face[what] > MOST[what]).length),
    worst: eachChange(what => fixed(Math.max(0, ...faces.map(face => face[what])), 4)),
  }
}
