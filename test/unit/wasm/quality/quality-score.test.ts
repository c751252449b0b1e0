/** The quality of a face as a number, and its main fault. */
import { type Measures, mainFault, qualityScore } from '#wasm/quality/quality-score.ts'

const GOOD: Measures = {
  score: 0.99,
  size: 180,
  sharpness: 0.52,
  brightness: 0.48,
  contrast: 0.18,
  yaw: 5,
  pitch: -8,
  roll: 2,
}

/** Faces with one fault each. */
const WORSE: { fault: ReturnType<typeof mainFault>; change: Partial<Measures> }[] = [
  { fault: 'blurred', change: { sharpness: 0.2 } },
  { fault: 'dark', change: { brightness: 0.06, contrast: 0.02 } },
  { fault: 'bright', change: { brightness: 0.93, contrast: 0.03 } },
  { fault: 'flat', change: { contrast: 0.03 } },
  { fault: 'turned', change: { yaw: -55 } },
  { fault: 'small', change: { size: 20 } },
  { fault: 'grainy', change: { sharpness: 0.8 } },
  { fault: 'unclear', change: { score: 0.8 } },
]

describe('qualityScore', () => {
  it.each(WORSE)('is lower for a face with $change, whose main fault is $fault', ({ fault, change }) => {
    const worse = { ...GOOD, ...change }
    expect(qualityScore(worse)).toBeLessThan(qualityScore(GOOD) - 0.005)
    expect(mainFault(worse)).toBe(fault)
  })

  it('is from 0 to 0.01 for the worst face', () => {
    const worst: Measures = { ...GOOD, score: 0, size: 1, sharpness: 0, contrast: 0, yaw: 180, pitch: 180 }
    expect(qualityScore(worst)).toBeGreaterThanOrEqual(0)
    expect(qualityScore(worst)).toBeLessThan(0.01)
  })
})
