/** Ten generated pictures without faces: the detector finds none, and none that is too small. */
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { openTestModels } from '#test/support/vision.ts'
import { analyzePhoto } from '#wasm/pipeline.ts'

const WIDTH = 900
const HEIGHT = 600

type Random = () => number

const between = (random: Random, least: number, most: number): number => least + random() * (most - least)
const colour = (random: Random): string => `rgb(${[0, 0, 0].map(() => Math.floor(random() * 256)).join(',')})`
const skin = (random: Random): string => `hsl(${between(random, 12, 32)},45%,${between(random, 30, 80)}%)`
const many = (count: number, shape: () => string): string => Array.from({ length: count }, shape).join('')

/** The shapes that each kind of picture has on a plain background. */
const DRAWN: Record<string, (random: Random) => string> = {
  text: random =>
    many(30, () => {
      const letters = many(40, () => String.fromCharCode(97 + Math.floor(random() * 26)))
      return `<text x="${between(random, -50, 300)}" y="${between(random, 0, HEIGHT)}" font-size="${between(random, 12, 60)}" fill="${colour(random)}">${letters}</text>`
    }),
  checkerboard: random => {
    const side = between(random, 8, 90)
    return pattern(
      2 * side,
      2 * side,
      `<path d="M0 0h${side}v${2 * side}h${side}v${-side}h${-2 * side}z" fill="${colour(random)}"/>`,
    )
  },
  bricks: random => {
    const [w, h] = [between(random, 30, 120), between(random, 15, 60)]
    const brick = `<rect x="2" y="2" width="${w - 4}" height="${h - 4}" fill="${colour(random)}"/><rect x="${-w / 2 + 2}" y="${h + 2}" width="${w - 4}" height="${h - 4}" fill="${colour(random)}"/><rect x="${w / 2 + 2}" y="${h + 2}" width="${w - 4}" height="${h - 4}" fill="${colour(random)}"/>`
    return pattern(w, 2 * h, brick)
  },
  'skin-coloured ovals': random =>
    many(8, () => {
      const rx = between(random, 25, 110)
      return `<ellipse cx="${between(random, 0, WIDTH)}" cy="${between(random, 0, HEIGHT)}" rx="${rx}" ry="${rx * 1.3}" fill="${skin(random)}"/>`
    }),
}

const pattern = (width: number, height: number, inside: string): string =>
  `<defs><pattern id="p" patternUnits="userSpaceOnUse" width="${width}" height="${height}">${inside}</pattern></defs><rect width="100%" height="100%" fill="url(#p)"/>`

const drawn = (kind: string, random: Random) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="${colour(random)}"/>${DRAWN[kind]!(random)}</svg>`,
    ),
  )

/** Noise with a grain from one pixel to clouds. */
function noise(random: Random) {
  const grain = 2 ** Math.floor(between(random, 0, 7))
  const [width, height] = [Math.ceil(WIDTH / grain), Math.ceil(HEIGHT / grain)]
  const data = Uint8Array.from({ length: width * height * 3 }, () => random() * 256)
  return sharp(data, { raw: { width, height, channels: 3 } }).resize(WIDTH, HEIGHT, { kernel: 'cubic' })
}

const KINDS = ['noise', 'noise', ...Object.keys(DRAWN)]

it('analyzePhoto finds no face on ten pictures of noise, text, textures and shapes', {
  tags: 'long',
}, async () => {
  const models = await openTestModels()
  const found: string[] = []
  for (let seed = 0; seed < 10; seed++) {
    const random = seededRandom(seed)
    const kind = KINDS[seed % KINDS.length]!
    const picture = kind === 'noise' ? noise(random) : drawn(kind, random)
    const photo = new Uint8Array(await picture.jpeg({ quality: 90 }).toBuffer())
    const { faces, reason } = await analyzePhoto(models, photo, undefined, {
      maxBytes: 2 ** 26,
      param: 'photo',
    })
    found.push(...[...faces, ...(reason ? [reason] : [])].map(() => `${kind}, seed ${seed}`))
  }
  expect(found).toEqual([])
})
