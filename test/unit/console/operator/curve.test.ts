/** Geometry of the calibration curve. */
import { describe, expect, it } from 'vitest'
import { axesOf, CHART, pathOf, scoreAt, ticksOf } from '#console/operator/curve.ts'

const CURVE = [
  { score: -0.5, confidence: 0.1 },
  { score: 0, confidence: 0.2 },
  { score: 0.5, confidence: 1 },
]

describe('the calibration curve', () => {
  it('reaches from edge to edge of the plot, with the greatest confidence at the top', () => {
    const axes = axesOf(CURVE)
    expect([axes.x(-0.5), axes.x(0.5)]).toEqual([CHART.left, CHART.width - CHART.right])
    expect([axes.y(0), axes.y(1)]).toEqual([CHART.height - CHART.bottom, CHART.top])
    expect(pathOf(CURVE, axes)).toMatch(/^M56\.0 [\d.]+L[\d.]+ [\d.]+L624\.0 16\.0$/)
  })

  it.each([
    { confidence: 0.05, score: -0.5 },
    { confidence: 0.15, score: -0.25 },
    { confidence: 0.2, score: 0 },
    { confidence: 0.6, score: 0.25 },
  ])('reaches the confidence $confidence at the score $score', ({ confidence, score }) => {
    expect(scoreAt(CURVE, confidence)).toBeCloseTo(score, 9)
  })

  it('does not reach every confidence', () => {
    expect(scoreAt(CURVE.slice(0, 2), 0.5)).toBeUndefined()
    expect(scoreAt([], 0.5)).toBeUndefined()
  })

  it.each([
    { from: -0.5, to: 0.5, ticks: [-0.4, -0.2, 0, 0.2, 0.4] },
    { from: 0, to: 12, ticks: [0, 5, 10] },
    { from: 1, to: 1, ticks: [1] },
  ])('has round numbers from $from to $to', ({ from, to, ticks }) => {
    expect(ticksOf({ from, to })).toEqual(ticks)
  })
})
