/** Logistic regression. */
import { Matrix, solve } from 'ml-matrix'

/** Newton steps. The fit changes no digit that is used after ten. */
const STEPS = 15

/**
 * Weights of the inputs for which the chance of `outcomes` (0..1) is likeliest. `ridge` is the penalty of the squared weights; an
 * input that is 1 everywhere is the constant, and is penalised too.
 */
export function logisticRegression(
  inputs: Matrix,
  outcomes: readonly number[],
  { ridge = 0 } = {},
): number[] {
  const transposed = inputs.transpose()
  let weights = Matrix.zeros(inputs.columns, 1)
  for (let step = 0; step < STEPS; step++) {
    const chances = inputs.mmul(weights).to1DArray().map(chanceOf)
    const errors = Matrix.columnVector(outcomes.map((outcome, i) => outcome - chances[i]!))
    const slope = transposed.mmul(errors).sub(Matrix.mul(weights, ridge))
    const curved = inputs.clone()
    for (const [i, chance] of chances.entries()) curved.mulRow(i, chance * (1 - chance))
    const curvature = transposed.mmul(curved).add(Matrix.eye(inputs.columns).mul(ridge))
    weights = weights.add(solve(curvature, slope))
  }
  return weights.to1DArray()
}

/** The chance of a logit. */
export const chanceOf = (logit: number): number => 1 / (1 + Math.exp(-logit))
