/** Simulated attacks: pictures that show the victim and are the same at each run. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { ATTACKS, COPIES, PICTURE, type Victim } from '#bench/lib/liveness/attacks.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'

const SIDE = 300

/** A uniform orange photo with a blue background. */
const victim = (): Victim => ({
  ...plain([220, 120, 60], SIDE, SIDE),
  face: { x1: 100, y1: 80, x2: 200, y2: 210 },
  background: plain([40, 60, 200], PICTURE.width, PICTURE.height),
  random: seededRandom(3),
})

function plain(colour: number[], width: number, height: number) {
  return { data: Uint8Array.from({ length: width * height * 3 }, (_, i) => colour[i % 3]!), width, height }
}

async function middleOf(picture: Uint8Array) {
  const { width, height } = await sharp(picture).metadata()
  const area = { left: (width >> 1) - 20, top: (height >> 1) - 20, width: 40, height: 40 }
  const pixels = await sharp(picture).extract(area).raw().toBuffer()
  const mean = (channel: number) =>
    pixels.filter((_, i) => i % 3 === channel).reduce((sum, value) => sum + value, 0) / (40 * 40)
  return { width, height, red: mean(0), blue: mean(2) }
}

describe.each(['screen, close', 'print, bent', 'cut-out', 'copy, encoded again'])('the attack "%s"', name => {
  it('shows the face in the middle of the picture', async () => {
    const { width, height, red, blue } = await middleOf(await ATTACKS[name]!(victim()))
    expect({ width, height }).toEqual(COPIES.includes(name) ? { width: SIDE, height: SIDE } : PICTURE)
    expect(red).toBeGreaterThan(blue + 40)
  })
  it('is the same at each run', { tags: 'long' }, async () => {
    const attack = ATTACKS[name]!
    expect(await attack(victim())).toEqual(await attack(victim()))
  })
})
