/** Draws lines and rates as SVG with logarithmic axes, in colours for light and dark backgrounds. */

export interface Line {
  name: string
  /** Coordinates above 0, sorted by rising x. */
  points: readonly (readonly [x: number, y: number])[]
}

export interface Panel {
  title: string
  lines: readonly Line[]
}

const COLOURS = ['#2a8ad4', '#1ba672', '#d98218', '#c2559b', '#8a6fd6', '#c9483f', '#8b9a22']
/** Colour of axes and texts, readable on light and dark backgrounds. */
export const INK = '#808890'

/** Size of a panel's plane and its margins, in pixels. */
const WIDTH = 380
const HEIGHT = 260
const LEFT = 90
const TOP = 58
const RIGHT = 44
const BOTTOM = 44
const LEGEND_LINE = 20

/** Ticks with labels, and the mapping of values to 0..1. */
interface Axis {
  ticks: number[]
  at(value: number): number
  label(value: number): string
}

/** Kinds of axes: `powers` for rates far below 1, `shares` for 0 to 100 %. Default: logarithmic with plain numbers. */
export interface Axes {
  x?: 'powers'
  y?: 'shares'
}

/** Draws panels next to each other with common axes. Lines of the same name have the same colour in all panels. */
export function plot(
  panels: readonly Panel[],
  [xName, yName]: readonly [string, string],
  axes: Axes = {},
): string {
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))]
  const points = panels.flatMap(({ lines }) => lines.flatMap(line => line.points))
  const xValues = points.map(([value]) => value)
  const x = logarithmic(xValues, axes.x === 'powers' ? power : value => value.toLocaleString('en'))
  const yValues = points.map(([, value]) => value)
  const y = axes.y === 'shares' ? SHARES : logarithmic(yValues, value => String(Number(value.toPrecision(1))))
  const colourOf = (name: string) => COLOURS[names.indexOf(name) % COLOURS.length]!
  const drawn = panels.map(({ title, lines }, i) => {
    const plane = [
      ...x.ticks.map(tick => xTick(x.at(tick) * WIDTH, x.label(tick))),
      ...y.ticks.map(tick => yTick((1 - y.at(tick)) * HEIGHT, i === 0 ? y.label(tick) : '')),
      text(WIDTH / 2, -14, title, 'middle', ' font-weight="bold"'),
      text(WIDTH / 2, HEIGHT + 36, xName, 'middle'),
      ...lines.map(line =>
        drawLine(
          line.points.map(([a, b]) => [x.at(a) * WIDTH, (1 - y.at(b)) * HEIGHT]),
          colourOf(line.name),
        ),
      ),
    ]
    return `<g transform="translate(${LEFT + i * (WIDTH + LEFT)} ${TOP})">${plane.join('')}</g>`
  })
  const width = panels.length * (LEFT + WIDTH) + RIGHT
  const legendTop = TOP + HEIGHT + BOTTOM + 14
  const legend = names.map((name, i) => {
    const at = legendTop + i * LEGEND_LINE
    const sample = `<path d="M${LEFT} ${at - 4}h26" stroke="${colourOf(name)}" stroke-width="2.5"/>`
    return sample + text(LEFT + 34, at, name, 'start')
  })
  const height = legendTop + names.length * LEGEND_LINE
  return svg(width, height, yName, [text(LEFT, 16, yName, 'start'), ...drawn, ...legend])
}

/** An axis from the power of ten below all values to the one above. */
function logarithmic(values: readonly number[], label: Axis['label']): Axis {
  // Rounding may put the logarithm of a rate, for example 1e-3, slightly below its integer.
  const low = Math.floor(Math.log10(Math.min(...values)) + ROUNDING)
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - ROUNDING))
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
    at: value => (Math.log10(value) - low) / (high - low),
    label,
  }
}

const ROUNDING = 1e-9

const power = (value: number): string => `1e${Math.round(Math.log10(value))}`

const SHARES: Axis = {
  ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
  at: value => value,
  label: value => `${Math.round(100 * value)} %`,
}

const xTick = (x: number, label: string): string =>
  rule(`M${round(x)} 0V${HEIGHT}`) + text(x, HEIGHT + 17, label, 'middle')

const yTick = (y: number, label: string): string =>
  rule(`M0 ${round(y)}H${WIDTH}`) + (label ? text(-8, y + 4, label, 'end') : '')

const rule = (path: string): string =>
  `<path d="${path}" stroke="${INK}" stroke-opacity=".35" stroke-width="1"/>`

function drawLine(points: readonly (readonly number[])[], colour: string): string {
  const path = points.map(([x = 0, y = 0], i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
  const dots = points.map(
    ([x = 0, y = 0]) => `<circle cx="${round(x)}" cy="${round(y)}" r="3.5" fill="${colour}"/>`,
  )
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2.5"/>${dots.join('')}`
}

export const text = (x: number, y: number, content: string, anchor: string, more = ''): string =>
  `<text x="${round(x)}" y="${round(y)}" fill="${INK}" text-anchor="${anchor}"${more}>${content}</text>`

/** Rounds to a tenth of a pixel. */
export const round = (value: number): number => Math.round(value * 10) / 10

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
export function plotDots(panels: readonly Dots[], title: string): string {
  const rows = Math.max(...panels.map(({ values }) => values.length))
  const [across, down] = [LABELS + DOTS_WIDTH + GAP, TITLE + rows * ROW + GAP]
  const drawn = panels.map(({ name, values }, i) => {
    const ticks = Array.from({ length: DECADES + 1 }, (_, exponent) => {
      const x = round((exponent / DECADES) * DOTS_WIDTH)
      return rule(`M${x} 0V${rows * ROW}`) + text(x, rows * ROW + 16, `1e${exponent - DECADES}`, 'middle')
    })
    const dots = values.map(({ label, share, from, to }, row) => {
      const y = (row + 0.5) * ROW
      const bar = `<path d="M${round(placeOf(from))} ${y}H${round(placeOf(to))}" stroke="${COLOURS[0]}" stroke-width="2"/>`
      const dot = `<circle cx="${round(placeOf(share))}" cy="${y}" r="4" fill="${COLOURS[0]}"/>`
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

const svg = (width: number, height: number, title: string, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13">
<title>${title}</title>
${parts.join('\n')}
</svg>
`
