/** Draws rates as SVG with a logarithmic axis, in colours for light and dark backgrounds. */

/** Colours of dots, and of axes and texts. */
const COLOUR = '#2a8ad4'
const INK = '#808890'

/** Rates with their intervals, by label. */
export interface Dots {
  name: string
  values: { label: string; share: number; from: number; to: number }[]
}

/** Pixels. */
const LABELS = 110
const DOTS_WIDTH = 320
const ROW = 20
const TITLE = 44
const GAP = 30
const COLUMNS = 2

/** Range of rates: 1e-5 to 1. Smaller rates are drawn at the edge. */
const [LEAST, DECADES] = [1e-5, 5]

const placeOf = (share: number): number => (Math.log10(Math.max(LEAST, share) / LEAST) / DECADES) * DOTS_WIDTH

/** Draws a panel per subject with a dot and its interval per label, on a logarithmic axis of rates. */
export function plot(panels: readonly Dots[], title: string): string {
  const rows = Math.max(...panels.map(({ values }) => values.length))
  const [across, down] = [LABELS + DOTS_WIDTH + GAP, TITLE + rows * ROW + GAP]
  const drawn = panels.map(({ name, values }, i) => {
    const ticks = Array.from({ length: DECADES + 1 }, (_, exponent) => {
      const x = round((exponent / DECADES) * DOTS_WIDTH)
      return rule(`M${x} 0V${rows * ROW}`) + text(x, rows * ROW + 16, `1e${exponent - DECADES}`, 'middle')
    })
    const dots = values.map(({ label, share, from, to }, row) => {
      const y = (row + 0.5) * ROW
      const bar = `<path d="M${round(placeOf(from))} ${y}H${round(placeOf(to))}" stroke="${COLOUR}" stroke-width="2"/>`
      const dot = `<circle cx="${round(placeOf(share))}" cy="${y}" r="4" fill="${COLOUR}"/>`
      return bar + dot + text(-8, y + 4, label, 'end')
    })
    const left = LABELS + (i % COLUMNS) * across
    const top = TITLE + Math.floor(i / COLUMNS) * (down + GAP)
    const heading = text(0, -12, name, 'start', ' font-weight="bold"')
    return `<g transform="translate(${left} ${top})">${heading}${ticks.join('')}${dots.join('')}</g>`
  })
  const height = Math.ceil(panels.length / COLUMNS) * (down + GAP) + GAP
  return svg(COLUMNS * across, height, title, [text(LABELS, 16, title, 'start'), ...drawn])
}

const rule = (path: string): string =>
  `<path d="${path}" stroke="${INK}" stroke-opacity=".35" stroke-width="1"/>`

const text = (x: number, y: number, content: string, anchor: string, more = ''): string =>
  `<text x="${round(x)}" y="${round(y)}" fill="${INK}" text-anchor="${anchor}"${more}>${content}</text>`

/** Rounds to a tenth of a pixel. */
const round = (value: number): number => Math.round(value * 10) / 10

const svg = (width: number, height: number, title: string, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13">
<title>${title}</title>
${parts.join('\n')}
</svg>
`
