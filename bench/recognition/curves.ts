/**
 * Draws true match rate against false match rate from the results of `calibrate` and `site-calibration`, for
 * docs/accuracy.md.
 */
import type { Rates, Shares } from '#core/calibration/rates.ts'
import { kept, type Outcome } from '../benchmark.ts'
import { type Line, type Panel, plot } from '../lib/vectors/plot.ts'

export const description =
  'plots of true and false match rates from the kept results of `calibrate` and `site-calibration`'

export const options = {} as const

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
  const pictures: Record<string, string> = {
    'true-matches.svg': draw([
      { title: 'women and men', lines: lines('all', 'women', 'men') },
      { title: 'years', lines: lines('all', 'below 30', '30 to 44', '45 to 59', 'from 60') },
    ]),
  }
  const { packs, calibrated } = ((await kept('site-calibration')) ?? {}) as Gain
  if (packs && calibrated) {
    const both = [line("the pack's table", packs.at), line('calibrated', calibrated.at)]
    pictures['site-calibration.svg'] = draw([{ title: 'people that were held back', lines: both }])
  }
  const drawn = Object.keys(pictures)
  return { table: `Drawn: ${drawn.join(', ')}`, result: { drawn }, pictures }
}

const line = (name: string, curve: readonly Shares[]): Line => ({
  name,
  points: curve.map(({ falseMatches, trueMatches }) => [falseMatches, trueMatches] as const),
})

const draw = (panels: readonly Panel[]): string => plot(panels, AXES, { x: 'powers', y: 'shares' })
