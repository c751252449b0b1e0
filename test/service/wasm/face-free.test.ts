/** Generated pictures without faces: the detector finds none, and none that is too small. */
import sharp from 'sharp'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { openTestModels } from '#test/support/vision.ts'
import { analyzePhoto } from '#wasm/pipeline.ts'

const WIDTH = 900
const HEIGHT = 600

type Random = () => number

const between = (random: Random, least: number, most: number): number => least + random() * (most - least)

/** Skin-coloured ovals on a plain background. */
function ovals(random: Random) {
  const skin = () => `hsl(${between(random, 12, 32)},45%,${between(random, 30, 80)}%)`
  const shapes = Array.from({ length: 8 }, () => {
    const rx = between(random, 25, 110)
    return `<ellipse cx="${between(random, 0, WIDTH)}" cy="${between(random, 0, HEIGHT)}" rx="${rx}" ry="${rx * 1.3}" fill="${skin()}"/>`
  })
  const size = `width="${WIDTH}" height="${HEIGHT}"`
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${shapes.join('')}</svg>`),
  ).flatten({ background: 'grey' })
}

/** Noise with a grain from one pixel to clouds. */
function noise(random: Random) {
  const grain = 2 ** Math.floor(between(random, 0, 7))
  const [width, height] = [Math.ceil(WIDTH / grain), Math.ceil(HEIGHT / grain)]
  const data = Uint8Array.from({ length: width * height * 3 }, () => random() * 256)
  return sharp(data, { raw: { width, height, channels: 3 } }).resize(WIDTH, HEIGHT, { kernel: 'cubic' })
}

it('analyzePhoto finds no face on pictures of noise and skin-coloured ovals', { tags: 'long' }, async () => {
  const models = await openTestModels()
  for (let seed = 0; seed < 6; seed++) {
    const picture = [noise, ovals][seed % 2]!(seededRandom(seed))
    const photo = new Uint8Array(await picture.jpeg({ quality: 90 }).toBuffer())
    const options = { maxBytes: 2 ** 26, param: 'photo' }
    const { faces, reason } = await analyzePhoto(models, photo, undefined, options)
    expect({ seed, faces, reason }).toEqual({ seed, faces: [], reason: undefined })
  }
})
