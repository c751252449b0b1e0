/** Draws true match rate against false match rate, for docs/accuracy.md. */
import type { Rates, Shares } from '#core/calibration/rates.ts'
import { benchmark, kept, need } from '../benchmark.ts'
import { type Line, type Panel, plot } from '../plot.ts'

interface Bands {
  bands: { name: string; curve: Shares[] }[]
}

export default benchmark({
  description:
    'plots of true and false match rates from the kept results of `calibrate` and `site-calibration`',
  options: {},
  async run() {
    const calibrated = await kept<Bands>('calibrate')
    need(calibrated, '"npm run bench -- calibrate" first')
    const lines = (...names: string[]): Line[] =>
      calibrated.bands
        .filter(({ name, curve }) => names.includes(name) && curve.length > 1)
        .map(({ name, curve }) => line(name, curve))
    const drawings: Record<string, string> = {
      'true-matches.svg': draw([
        { title: 'women and men', lines: lines('all', 'women', 'men') },
        { title: 'years', lines: lines('all', 'below 30', '30 to 44', '45 to 59', 'from 60') },
      ]),
    }
    const gain = await kept<{ packs: Rates; calibrated: Rates }>('site-calibration')
    if (gain) {
      const both = [line("the pack's table", gain.packs.at), line('calibrated', gain.calibrated.at)]
      drawings['site-calibration.svg'] = draw([{ title: 'people that were held back', lines: both }])
    }
    return { drawn: Object.keys(drawings), drawings }
  },
})

const line = (name: string, curve: readonly Shares[]): Line => ({
  name,
  points: curve.map(({ falseMatches, trueMatches }) => [falseMatches, trueMatches] as const),
})

const draw = (panels: readonly Panel[]): string =>
  plot(panels, ['false match rate', 'true matches'], { x: 'powers', y: 'shares' })
