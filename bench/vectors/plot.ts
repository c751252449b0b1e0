/** A plot as SVG: lines over two logarithmic axes, with colours that are read on light and on dark ground. */

export interface Line {
  name: string
  /** Both above 0; by rising x. */
  points: readonly (readonly [x: number, y: number])[]
}

export interface Panel {
  title: string
  lines: readonly Line[]
}

const COLOURS = ['#2a8ad4', '#1ba672', '#d98218', '#c2559b', '#8a6fd6', '#c9483f']
const INK = '#808890'

/** Pixels of a panel's plane, and around it. */
const WIDTH = 380
const HEIGHT = 260
const LEFT = 90
const TOP = 58
const RIGHT = 44
const BOTTOM = 44
const LEGEND_LINE = 20

/** Panels side by side, over the same axes; lines of the same name have the same colour in all. */
export function plot(panels: readonly Panel[], [xName, yName]: readonly [string, string]): string {
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))]
  const points = panels.flatMap(({ lines }) => lines.flatMap(line => line.points))
  const x = axis(points.map(([value]) => value))
  const y = axis(points.map(([, value]) => value))
  const colourOf = (name: string) => COLOURS[names.indexOf(name) % COLOURS.length]!
  const drawn = panels.map(({ title, lines }, i) => {
    const plane = [
      ...x.ticks.map(tick => xTick(x.at(tick) * WIDTH, tick)),
      ...y.ticks.map(tick => yTick((1 - y.at(tick)) * HEIGHT, tick, i === 0)),
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
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13">
<title>${yName}</title>
${text(LEFT, 16, yName, 'start')}
${[...drawn, ...legend].join('\n')}
</svg>
`
}

/** From the power of ten below all values to the one above: 0..1. */
function axis(values: readonly number[]): { ticks: number[]; at(value: number): number } {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
    at: value => (Math.log10(value) - low) / (high - low),
  }
}

const xTick = (x: number, value: number): string =>
  rule(`M${round(x)} 0V${HEIGHT}`) + text(x, HEIGHT + 17, value.toLocaleString('en'), 'middle')

const yTick = (y: number, value: number, labelled: boolean): string =>
  rule(`M0 ${round(y)}H${WIDTH}`) +
  (labelled ? text(-8, y + 4, String(Number(value.toPrecision(1))), 'end') : '')

const rule = (path: string): string =>
  `<path d="${path}" stroke="${INK}" stroke-opacity=".35" stroke-width="1"/>`

function drawLine(points: readonly (readonly number[])[], colour: string): string {
  const path = points.map(([x = 0, y = 0], i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
  const dots = points.map(
    ([x = 0, y = 0]) => `<circle cx="${round(x)}" cy="${round(y)}" r="3.5" fill="${colour}"/>`,
  )
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2.5"/>${dots.join('')}`
}

const text = (x: number, y: number, content: string, anchor: string, more = ''): string =>
  `<text x="${round(x)}" y="${round(y)}" fill="${INK}" text-anchor="${anchor}"${more}>${content}</text>`

const round = (value: number): number => Math.round(value * 10) / 10
