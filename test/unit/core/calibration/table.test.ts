import fc from 'fast-check'
import { THRESHOLDS } from '#contract/model/face.ts'
import { calibrationCurve } from '#core/calibration/scale.ts'
import { STANDARD } from '#models/manifest.ts'

const TABLE = STANDARD.embedder.calibration.default

it('calibrationCurve returns the confidence of a row at its score, and interpolates between rows', () => {
  const confidence = calibrationCurve([
    [0.5, 0.2],
    [0.7, 0.8],
  ])
  expect([0.5, 0.6, 0.7].map(confidence)).toEqual([0.2, expect.closeTo(0.5), 0.8])
})

it('calibrationCurve never falls when the score rises, and stays within 0..1', () => {
  const confidence = calibrationCurve(TABLE)
  const score = fc.double({ min: -1.1, max: 1.1, noNaN: true })
  fc.assert(
    fc.property(score, score, (a, b) => {
      const [lower, upper] = [confidence(Math.min(a, b)), confidence(Math.max(a, b))]
      expect(lower).toBeLessThanOrEqual(upper)
      expect(lower).toBeGreaterThanOrEqual(0)
      expect(upper).toBeLessThanOrEqual(1)
    }),
  )
})

it('the calibration table of the standard pack contains the named thresholds', () => {
  const confidences = TABLE.map(([, confidence]) => confidence)
  expect(confidences).toEqual([0, THRESHOLDS.low, THRESHOLDS.medium, THRESHOLDS.strict, 1])
})
