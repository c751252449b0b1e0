/** The calibration of the service: its curve, and the error rates of the named thresholds. */

import type { ServiceState } from '../../clients/typescript/src/index.ts'
import { Loaded } from '../components/state.tsx'
import { Table } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { formatNumber, formatPercent, formatThreshold } from '../format.ts'
import { TEXTS } from '../texts.ts'

type CalibrationState = NonNullable<ServiceState['calibration']>
type CurvePoint = CalibrationState['curve'][number]

/** Size of the picture, and the plot within it. */
const CHART = { width: 640, height: 380, left: 56, right: 16, top: 16, bottom: 48 } as const

interface Axes {
  /** Least and greatest score. */
  from: number
  to: number
  x(score: number): number
  y(confidence: number): number
}

function axesOf(curve: readonly CurvePoint[]): Axes {
  const from = curve[0]?.score ?? 0
  const to = curve.at(-1)?.score ?? 1
  const { width, height, left, right, top, bottom } = CHART
  return {
    from,
    to,
    x: score => left + ((score - from) / (to - from || 1)) * (width - left - right),
    y: confidence => height - bottom - confidence * (height - top - bottom),
  }
}

/** The path of the curve, as the attribute `d`. */
const pathOf = (curve: readonly CurvePoint[], { x, y }: Axes): string =>
  curve
    .map(
      ({ score, confidence }, i) =>
        `${i === 0 ? 'M' : 'L'}${x(score).toFixed(1)} ${y(confidence).toFixed(1)}`,
    )
    .join('')

/** The least score with this confidence, by linear interpolation; undefined where the curve does not reach it. */
function scoreAt(curve: readonly CurvePoint[], confidence: number): number | undefined {
  const above = curve.findIndex(point => point.confidence >= confidence)
  const [low, high] = [curve[above - 1], curve[above]]
  if (!high) return undefined
  if (!low || high.confidence === low.confidence) return high.score
  const share = (confidence - low.confidence) / (high.confidence - low.confidence)
  return low.score + share * (high.score - low.score)
}

/** Round numbers within the range of scores, about five of them. */
function ticksOf({ from, to }: Pick<Axes, 'from' | 'to'>): number[] {
  const range = to - from
  if (!(range > 0)) return [from]
  const rough = range / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= rough)!
  const first = Math.ceil(from / step - 1e-9)
  const count = Math.floor(to / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

export function Calibration() {
  const { client } = useService()
  const service = useTask(signal => client.service.get({ signal }), [])
  const texts = TEXTS.calibration
  return (
    <Loaded task={service}>
      {({ calibration }) =>
        calibration ? (
          <>
            <section class="card stack">
              <h2>{texts.title}</h2>
              <p class="hint">{texts.text(texts.tables[calibration.table])}</p>
              <CurveChart calibration={calibration} />
            </section>
            <Thresholds thresholds={calibration.thresholds} />
          </>
        ) : (
          <p class="empty">{texts.none}</p>
        )
      }
    </Loaded>
  )
}

function Thresholds({ thresholds }: Pick<CalibrationState, 'thresholds'>) {
  const texts = TEXTS.calibration
  const strangers = (fmr: number | undefined) => {
    if (fmr === undefined) return texts.unknown
    return fmr > 0 ? texts.oneIn(Math.round(1 / fmr)) : formatPercent(fmr)
  }
  return (
    <Table
      caption={texts.thresholds}
      columns={texts.columns}
      rows={thresholds.map(({ name, confidence, fmr, tmr }) => ({
        key: name,
        cells: {
          name: TEXTS.confidence.tiers[name],
          confidence: formatThreshold(confidence),
          fmr: strangers(fmr),
          tmr: tmr === undefined ? texts.unknown : formatPercent(tmr),
        },
      }))}
    />
  )
}

const CONFIDENCES = [0, 0.25, 0.5, 0.75, 1]

const BOTTOM = CHART.height - CHART.bottom
const RIGHT = CHART.width - CHART.right

/** The calibration curve as a picture with axes, and marks at the named thresholds. */
function CurveChart({ calibration: { curve, thresholds } }: { calibration: CalibrationState }) {
  const axes = axesOf(curve)
  const { x, y } = axes
  const marks = thresholds.flatMap(({ name, confidence }) => {
    const score = scoreAt(curve, confidence)
    return score === undefined ? [] : [{ name, confidence, score }]
  })
  const sentences = marks.map(({ name, confidence, score }) =>
    TEXTS.calibration.mark(TEXTS.confidence.tiers[name], formatNumber(score), formatThreshold(confidence)),
  )
  return (
    <svg
      class="curve"
      viewBox={`0 0 ${CHART.width} ${CHART.height}`}
      role="img"
      aria-label={TEXTS.calibration.chart(sentences.join(' '))}
    >
      {CONFIDENCES.map(confidence => (
        <g key={confidence}>
          <line class="grid-line" x1={CHART.left} x2={RIGHT} y1={y(confidence)} y2={y(confidence)} />
          <text text-anchor="end" x={CHART.left - 8} y={y(confidence) + 4}>
            {formatNumber(confidence)}
          </text>
        </g>
      ))}
      {ticksOf(axes).map(score => (
        <text key={score} text-anchor="middle" x={x(score)} y={BOTTOM + 20}>
          {formatNumber(score)}
        </text>
      ))}
      <text text-anchor="middle" x={(CHART.left + RIGHT) / 2} y={CHART.height - 6}>
        {TEXTS.calibration.score}
      </text>
      <text text-anchor="middle" transform={`translate(14 ${(CHART.top + BOTTOM) / 2}) rotate(-90)`}>
        {TEXTS.calibration.confidence}
      </text>
      {marks.map(({ name, confidence, score }) => (
        <g key={name} class={`threshold ${name}`}>
          <path d={`M${CHART.left} ${y(confidence)}H${x(score)}V${BOTTOM}`} />
          <text x={CHART.left + 8} y={y(confidence) - 5}>
            {TEXTS.confidence.tiers[name]}
          </text>
        </g>
      ))}
      <path class="line" d={pathOf(curve, axes)} />
      {marks.map(({ name, confidence, score }) => (
        <circle key={name} class={`dot ${name}`} cx={x(score)} cy={y(confidence)} r="5" />
      ))}
    </svg>
  )
}
