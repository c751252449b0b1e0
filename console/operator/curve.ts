/** Geometry of the calibration curve, in units of its picture. */
import type { ServiceState } from '../../clients/typescript/src/index.ts'

export type CalibrationState = NonNullable<ServiceState['calibration']>
export type CurvePoint = CalibrationState['curve'][number]

/** Size of the picture, and the plot within it. */
export const CHART = { width: 640, height: 380, left: 56, right: 16, top: 16, bottom: 48 } as const

export interface Axes {
  /** Least and greatest score. */
  from: number
  to: number
  x(score: number): number
  y(confidence: number): number
}

export function axesOf(curve: readonly CurvePoint[]): Axes {
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
export const pathOf = (curve: readonly CurvePoint[], { x, y }: Axes): string =>
  curve
    .map(
      ({ score, confidence }, i) =>
        `${i === 0 ? 'M' : 'L'}${x(score).toFixed(1)} ${y(confidence).toFixed(1)}`,
    )
    .join('')

/** The least score with this confidence, by linear interpolation; undefined where the curve does not reach it. */
export function scoreAt(curve: readonly CurvePoint[], confidence: number): number | undefined {
  const above = curve.findIndex(point => point.confidence >= confidence)
  const [low, high] = [curve[above - 1], curve[above]]
  if (!high) return undefined
  if (!low || high.confidence === low.confidence) return high.score
  const share = (confidence - low.confidence) / (high.confidence - low.confidence)
  return low.score + share * (high.score - low.score)
}

/** Round numbers within the range of scores, about five of them. */
export function ticksOf({ from, to }: Pick<Axes, 'from' | 'to'>): number[] {
  const range = to - from
  if (!(range > 0)) return [from]
  const rough = range / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= rough)!
  const first = Math.ceil(from / step - 1e-9)
  const count = Math.floor(to / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}
