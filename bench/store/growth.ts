/** Draws search time against gallery size, and prints a table for docs/performance.md. */
import { benchmark, kept, need } from '../benchmark.ts'
import type { Comparison, Figures } from '../lib/vectors/comparison.ts'
import { EXACT, INDEXED, REFERENCE } from '../lib/vectors/contestants.ts'
import { type Line, plot } from '../plot.ts'

const figures = ({ contestants }: Comparison, name: string): Figures | undefined =>
  contestants.find(each => each.name === name)

/** The drawn series: figures of one contestant per size, if measured. */
const SERIES: Record<string, (size: Comparison) => Figures | undefined> = {
  exact: size => figures(size, EXACT),
  indexed: size => figures(size, INDEXED),
  'usearch, the quickest that finds as many': size =>
    size.besideUsearch && figures(size, size.besideUsearch.usearch),
  'plain JavaScript': size => figures(size, REFERENCE),
}

export default benchmark({
  description: 'search time by gallery size: a plot and a table from the kept result of `recall`',
  options: {},
  async run() {
    const recall = await kept<{ sizes: Comparison[] }>('recall')
    need(recall, '"npm run bench -- recall" first')
    const panels = [...Map.groupBy(recall.sizes, ({ dimension }) => dimension)].map(([dimension, own]) => ({
      title: `${dimension} dimensions`,
      lines: Object.entries(SERIES).flatMap(([name, of]) => line(name, own, of)),
    }))
    const drawn = plot(panels, ['faces', 'milliseconds of one search, least'])
    return { rows: recall.sizes.map(row), drawings: { 'growth.svg': drawn } }
  },
})

function line(
  name: string,
  sizes: readonly Comparison[],
  of: (size: Comparison) => Figures | undefined,
): Line[] {
  const points = sizes.flatMap(size => {
    const ms = of(size)?.minimumMs
    return ms === undefined ? [] : [[size.faces, ms] as const]
  })
  return points.length === 0 ? [] : [{ name, points }]
}

function row(size: Comparison) {
  const [exact, indexed, graph, plain] = Object.values(SERIES).map(of => of(size))
  const ms = (one: Figures | undefined) =>
    one ? `${one.minimumMs.toFixed(2)}, ${one.medianMs.toFixed(2)}` : ''
  return {
    faces: `${size.faces.toLocaleString('en')} x ${size.dimension}`,
    'exact: least, median ms': ms(exact),
    'recall@10': exact?.recall10?.toFixed(4),
    'indexed, ms': ms(indexed),
    'r1k, hit': indexed && `${indexed.r1k.toFixed(4)}, ${indexed.hit.toFixed(4)}`,
    'index made, CPU s': indexed?.made?.cpuSeconds,
    'usearch, ms': graph && `${ms(graph)} (${graph.name.replace('usearch ', '')})`,
    'usearch made, CPU s': graph?.made?.cpuSeconds,
    'plain JS, ms': ms(plain),
  }
}
