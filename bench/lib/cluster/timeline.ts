/** Draws a cluster's responses per second and its faults as SVG. */
import { INK, round, text } from '../../plot.ts'
import { median } from '../../statistics.ts'
import type { Happened } from './faults.ts'
import type { Try as Answer } from './load.ts'

type Try = Pick<Answer, 'at' | 'ms' | 'status'>

const KINDS = [
  { name: 'answered', colour: '#1ba672', has: ({ status }: Try) => status === 200 },
  { name: '503', colour: '#d98218', has: ({ status }: Try) => status === 503 },
  {
    name: 'other or no answer',
    colour: '#c9483f',
    has: ({ status }: Try) => status !== 200 && status !== 503,
  },
]
const LATENCY = '#2a8ad4'

/** Pixels per second, height of each panel, and margins. */
const SECOND = 1.6
const HEIGHT = 130
const LEFT = 70
const TOP = 150
const GAP = 30
const RIGHT = 90
const BOTTOM = 70

export function timeline(tries: readonly Try[], faults: readonly Happened[]): string {
  const seconds = Math.ceil(
    Math.max(1, ...tries.map(({ at }) => at), ...faults.map(({ repaired }) => repaired)),
  )
  const each = bySecond(tries, seconds)
  const most = Math.max(1, ...each.map(answers => answers.length))
  const slowest = Math.max(1, ...each.map(msOf))
  const [width, second] = [LEFT + seconds * SECOND + RIGHT, TOP + HEIGHT + GAP]
  const height = second + HEIGHT + BOTTOM
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${height}" width="${round(width)}" height="${height}" font-family="system-ui, sans-serif" font-size="11">
<title>Answers of a cluster while its parts fail</title>
${faults.map(band(second + HEIGHT)).join('\n')}
${plane(TOP, seconds, `${most}`, 'answers a second')}
${KINDS.map(kind => bars(each, kind, most)).join('\n')}
${plane(second, seconds, `${Math.round(slowest)} ms`, 'median')}
<path d="${curve(each, slowest, second)}" fill="none" stroke="${LATENCY}" stroke-width="1.5"/>
${minutes(seconds, second + HEIGHT)}
${KINDS.map(({ name, colour }, i) => legend(LEFT + i * 140, height - 16, name, colour)).join('')}
</svg>
`
}

function bySecond(tries: readonly Try[], seconds: number): Try[][] {
  const each: Try[][] = Array.from({ length: seconds + 1 }, () => [])
  for (const one of tries) each[Math.floor(one.at)]?.push(one)
  return each
}

const msOf = (answers: readonly Try[]): number =>
  answers.length === 0 ? 0 : median(answers.map(({ ms }) => ms))

/** A band from the beginning of a fault to its repair, with its name above. */
const band =
  (bottom: number) =>
  ({ name, from, repaired }: Happened): string => {
    const [x, wide] = [LEFT + from * SECOND, Math.max(1, (repaired - from) * SECOND)]
    return (
      `<rect x="${round(x)}" y="${TOP}" width="${round(wide)}" height="${bottom - TOP}" fill="${INK}" fill-opacity=".22"/>` +
      `<text transform="translate(${round(x + wide / 2)} ${TOP - 6}) rotate(-58)" fill="${INK}">${name}</text>`
    )
  }

function bars(each: readonly Try[][], kind: (typeof KINDS)[number], most: number): string {
  const before = KINDS.slice(0, KINDS.indexOf(kind))
  const path = each.flatMap((answers, i) => {
    const count = answers.filter(kind.has).length
    if (count === 0) return []
    const below = answers.filter(answer => before.some(({ has }) => has(answer))).length
    const [low, high] = [below, below + count].map(value => TOP + HEIGHT * (1 - value / most)) as [
      number,
      number,
    ]
    return `M${round(LEFT + i * SECOND)} ${round(low)}V${round(high)}h${SECOND}V${round(low)}z`
  })
  return `<path d="${path.join('')}" fill="${kind.colour}"/>`
}

const curve = (each: readonly Try[][], slowest: number, top: number): string =>
  each
    .map((answers, i) => [LEFT + (i + 0.5) * SECOND, top + HEIGHT * (1 - msOf(answers) / slowest)])
    .map(([x = 0, y = 0], i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`)
    .join('')

const plane = (top: number, seconds: number, high: string, name: string): string =>
  `<path d="M${LEFT} ${top}V${top + HEIGHT}H${round(LEFT + seconds * SECOND)}" fill="none" stroke="${INK}"/>` +
  text(LEFT - 6, top + 10, high, 'end') +
  text(LEFT - 6, top + HEIGHT, '0', 'end') +
  `<text transform="translate(16 ${top + HEIGHT / 2}) rotate(-90)" fill="${INK}" text-anchor="middle">${name}</text>`

const minutes = (seconds: number, bottom: number): string =>
  Array.from({ length: Math.floor(seconds / 60) + 1 }, (_, minute) =>
    text(LEFT + 60 * minute * SECOND + 4, bottom + 16, `${minute} min`, 'middle'),
  ).join('')

const legend = (x: number, y: number, name: string, colour: string): string =>
  `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${colour}"/>${text(x + 16, y, name, 'start')}`
