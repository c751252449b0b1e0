/** Draws search time against gallery size from the results of `recall`, and prints a table for docs/performance.md. */
import { kept, type Outcome } from '../benchmark.ts'
import { type Comparison, EXACT, type Figures, INDEXED, REFERENCE } from '../lib/vectors/comparison.ts'
import { type Line, plot } from '../lib/vectors/plot.ts'

export const description = 'search time by gallery size: a plot and a table from the kept result of `recall`'

export const options = {} as const

/** The drawn series: figures of one contestant per size, if measured. */
const SERIES: Record<string, (size: Comparison) => Figures | undefined> = {
  exact: size => figures(size, EXACT),
  indexed: size => figures(size, INDEXED),
  'usearch, the quickest that finds as many': usearch,
  'plain JavaScript': size => figures(size, REFERENCE),
}

export async function run(): Promise<Outcome> {
  const { sizes = [] } = ((await kept('recall')) ?? {}) as { sizes?: Comparison[] }
  if (sizes.length === 0)
    return { table: 'skipped: "npm run bench -- recall" comes first', result: { skipped: true } }
  const panels = [...Map.groupBy(sizes, ({ dimension }) => dimension)].map(([dimension, own]) => ({
    title: `${dimension} dimensions`,
    lines: Object.entries(SERIES).flatMap(([name, of]) => line(name, own, of)),
  }))
  const drawn = plot(panels, ['faces', 'milliseconds of one search, least'])
  const rows = sizes.map(row)
  return { table: markdown(rows), result: { rows }, pictures: { 'growth.svg': drawn } }
}

const figures = ({ contestants }: Comparison, name: string): Figures | undefined =>
  contestants.find(each => each.name === name)

function usearch(size: Comparison): Figures | undefined {
  return size.besideUsearch && figures(size, size.besideUsearch.usearch)
}

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

function row(size: Comparison): Record<string, string> {
  const [exact, indexed, graph, plain] = Object.values(SERIES).map(of => of(size))
  const ms = (one: Figures | undefined) =>
    one ? `${one.minimumMs.toFixed(2)}, ${one.medianMs.toFixed(2)}` : ''
  return {
    faces: `${size.faces.toLocaleString('en')} x ${size.dimension}`,
    'exact: least, median ms': ms(exact),
    'recall@10': exact?.recall10?.toFixed(4) ?? '',
    'indexed, ms': ms(indexed),
    'r1k, hit': indexed ? `${indexed.r1k.toFixed(4)}, ${indexed.hit.toFixed(4)}` : '',
    'index made, CPU s': indexed?.made ? String(indexed.made.cpuSeconds) : '',
    'usearch, ms': graph ? `${ms(graph)} (${graph.name.replace('usearch ', '')})` : '',
    'usearch made, CPU s': graph?.made ? String(graph.made.cpuSeconds) : '',
    'plain JS, ms': ms(plain),
  }
}

function markdown(rows: readonly Record<string, string>[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = Object.keys(rows[0] ?? {})
  return [line(head), line(head.map(() => '---')), ...rows.map(each => line(Object.values(each)))].join('\n')
}
