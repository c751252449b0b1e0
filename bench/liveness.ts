/** A living face, or a picture of one? What human's networks say of photos, and of photos as screens and prints show them. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { exists, fixed, fromCaller, type Outcome, quantile, table } from './benchmark.ts'
import { openHuman } from './peers/human.ts'

export const description = "human's antispoof and liveness on photos, and on simulated screens and prints"

export const options = { images: { type: 'string' }, limit: { type: 'string' } } as const

const LIMIT = 60

/** Pixels a side of the pictures. */
const SIDE = 250

/** human's own example rejects below this. */
const THRESHOLD = 0.6

/** The networks, by the fields of human's answer. */
const NETWORKS = { antispoof: 'real', liveness: 'live' } as const

/** Recaptures are simulated: whoever passes them has proved little, whoever fails them has failed. */
const KINDS: Record<string, (photo: Buffer) => Promise<Buffer>> = {
  photo: async photo => photo,
  screen: async photo => {
    const shown = await sharp(photo)
      .modulate({ brightness: 1.1, saturation: 0.85 })
      .tint('#dfe8ff')
      .toBuffer()
    const lit = await sharp(shown)
      .composite([{ input: await grille(SIDE), blend: 'multiply' }])
      .toBuffer()
    return recaptured(lit, { border: 10, colour: '#101010', roll: 2 })
  },
  print: async photo => {
    const printed = await sharp(photo).modulate({ saturation: 0.6 }).linear(0.75, 40).toBuffer()
    return recaptured(printed, { border: 24, colour: '#f4f1ea', roll: -3 })
  },
}

/** The raster of a screen, which beats with that of a camera. */
function grille(side: number): Promise<Buffer> {
  const data = Uint8Array.from({ length: side * side * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3)
    const [x, y] = [(pixel % side) + (i % 3) / 3, Math.floor(pixel / side)]
    const turn = 2 * Math.PI
    return 200 + 55 * Math.cos(turn * (x / 2.9 + y / 41)) * Math.cos((turn * y) / 3.1)
  })
  return sharp(data, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer()
}

interface Recapture {
  /** Pixels of the frame around the picture, and its colour. */
  border: number
  colour: string
  /** Degrees by which the camera was held askew. */
  roll: number
}

async function recaptured(picture: Buffer, { border, colour, roll }: Recapture): Promise<Buffer> {
  const edges = { top: border, bottom: border, left: border, right: border }
  const framed = await sharp(picture)
    .extend({ ...edges, background: colour })
    .toBuffer()
  const askew = await sharp(framed).rotate(roll, { background: '#444' }).toBuffer()
  return sharp(askew).resize(SIDE, SIDE).blur(0.7).jpeg({ quality: 70 }).toBuffer()
}

export async function run(values: { images?: string; limit?: string }): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }
  const files = (await readdir(images, { recursive: true })).filter(file => /\.jpe?g$/i.test(file)).sort()
  const step = Math.max(1, Math.floor(files.length / Number(values.limit ?? LIMIT)))
  const chosen = files.filter((_, i) => i % step === 0).slice(0, Number(values.limit ?? LIMIT))
  const off = { enabled: false }
  const on = { enabled: true }
  const human = await openHuman({ iris: off, emotion: off, description: off, antispoof: on, liveness: on })

  const said = new Map(Object.keys(KINDS).map(kind => [kind, [] as Record<string, number>[]]))
  for (const file of chosen) {
    const photo = await sharp(await readFile(join(images, file)))
      .resize(SIDE, SIDE)
      .png()
      .toBuffer()
    for (const [kind, shown] of Object.entries(KINDS)) {
      const { data, info } = await sharp(await shown(photo))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      const pixels = human.tf.tensor(new Uint8Array(data), [1, info.height, info.width, 3], 'float32')
      const [face] = (await human.detect(pixels)).face
      pixels.dispose()
      if (face) said.get(kind)!.push(face)
    }
  }
  const rows = Object.entries(NETWORKS).flatMap(([network, field]) =>
    [...said].map(([kind, faces]) => {
      const scores = faces.map(face => face[field] ?? 0)
      const accepted = scores.filter(score => score >= THRESHOLD).length / scores.length
      const at = (part: number) => fixed(quantile(scores, part), 2)
      return {
        network,
        kind,
        faces: scores.length,
        low: at(0.1),
        median: at(0.5),
        high: at(0.9),
        accepted: fixed(accepted, 2),
      }
    }),
  )
  const head = [
    'network',
    'of',
    'faces',
    'lowest tenth',
    'median',
    'highest tenth',
    `accepted at ${THRESHOLD}`,
  ]
  return { table: table([head, ...rows.map(row => Object.values(row))]), result: { rows } }
}
