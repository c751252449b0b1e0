/** Draws rates as SVG: a panel per subject, a dot with its interval per label, on a logarithmic axis. */
import { INK, round, text } from './plot.ts'

export interface Bars {
  name: string
  values: { label: string; share: number; from: number; to: number }[]
}

/** Pixels. */
const LABELS = 110
const WIDTH = 320
const ROW = 20
const TITLE = 44
const GAP = 30
const COLUMNS = 2
const DOT = '#2a8ad4'

/** Range of rates: 1e-5 to 1. Smaller rates are drawn at the edge. */
const [LEAST, DECADES] = [1e-5, 5]

const at = (share: number): number => (Math.log10(Math.max(LEAST, share) / LEAST) / DECADES) * WIDTH

export function plotBars(panels: readonly Bars[], { x }: { x: string }): string {
  const rows = Math.max(...panels.map(({ values }) => values.length))
  const [across, down] = [LABELS + WIDTH + GAP, TITLE + rows * ROW + GAP]
  const drawn = panels.map(({ name, values }, i) => {
    const ticks = Array.from({ length: DECADES + 1 }, (_, power) => {
      const place = round((power / DECADES) * WIDTH)
      const line = `<path d="M${place} 0V${rows * ROW}" stroke="${INK}" stroke-opacity=".35"/>`
      return line + text(place, rows * ROW + 16, `1e${power - DECADES}`, 'middle')
    })
    const dots = values.map(({ label, share, from, to }, row) => {
      const y = (row + 0.5) * ROW
      const bar = `<path d="M${round(at(from))} ${y}H${round(at(to))}" stroke="${DOT}" stroke-width="2"/>`
      const dot = `<circle cx="${round(at(share))}" cy="${y}" r="4" fill="${DOT}"/>`
      return bar + dot + text(-8, y + 4, label, 'end')
    })
    const left = LABELS + (i % COLUMNS) * across
    const top = TITLE + Math.floor(i / COLUMNS) * (down + GAP)
    const title = text(0, -12, name, 'start', ' font-weight="bold"')
    return `<g transform="translate(${left} ${top})">${title}${ticks.join('')}${dots.join('')}</g>`
  })
  const height = Math.ceil(panels.length / COLUMNS) * (down + GAP) + GAP
  const width = COLUMNS * across
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13">
<title>${x}</title>
${text(LABELS, 16, x, 'start')}
${drawn.join('\n')}
</svg>
`
}
