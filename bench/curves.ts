/** How many come through whom a threshold means? Draws what `calibrate` and `site-calibration` have measured, for docs/accuracy.md. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rates, Shares } from '../core/calibration/rates.ts'
import { kept, type Outcome } from './benchmark.ts'
import { type Line, type Panel, plot } from './vectors/plot.ts'

export const description =
  'true matches over false ones: plots of what `calibrate` and `site-calibration` have kept'

export const options = {} as const

const PICTURES = join(import.meta.dirname, '..', 'docs', 'pictures')

const AXES = ['false match rate', 'true matches'] as const

interface Bands {
  bands?: { name: string; curve: Shares[] }[]
}

interface Gain {
  packs?: Rates
  calibrated?: Rates
}

export async function run(): Promise<Outcome> {
  const { bands = [] } = ((await kept('calibrate')) ?? {}) as Bands
  if (bands.length === 0)
    return { table: 'skipped: "npm run bench -- calibrate" comes first', result: { skipped: true } }
  const lines = (...names: string[]): Line[] =>
    bands
      .filter(({ name, curve }) => names.includes(name) && curve.length > 1)
      .map(({ name, curve }) => line(name, curve))
  const drawn = [
    await draw('true-matches.svg', [
      { title: 'women and men', lines: lines('all', 'women', 'men') },
      { title: 'years', lines: lines('all', 'below 30', '30 to 44', '45 to 59', 'from 60') },
    ]),
  ]
  const { packs, calibrated } = ((await kept('site-calibration')) ?? {}) as Gain
  if (packs && calibrated) {
    const both = [line("the pack's table", packs.at), line('calibrated', calibrated.at)]
    drawn.push(await draw('site-calibration.svg', [{ title: 'people that were held back', lines: both }]))
  }
  return { table: `Drawn: ${drawn.join(', ')}`, result: { drawn } }
}

const line = (name: string, curve: readonly Shares[]): Line => ({
  name,
  points: curve.map(({ falseMatches, trueMatches }) => [falseMatches, trueMatches] as const),
})

async function draw(file: string, panels: readonly Panel[]): Promise<string> {
  await writeFile(join(PICTURES, file), plot(panels, AXES, { x: 'powers', y: 'shares' }))
  return `docs/pictures/${file}`
}
