/** Gender, age and emotions as parameters: read by v1, unknown to v0. */
import { badParam } from '../core/contract/errors.ts'
import { boolean, withDefault } from './fields.ts'
import type { Version } from './route.ts'

const NAMES = ['age', 'gender', 'emotions'] as const

export const attributes = {
  age: withDefault(boolean, false),
  gender: withDefault(boolean, false),
  emotions: withDefault(boolean, false),
}

/** BAD_PARAM when v1 asks for an attribute: their recognition is off (the option `gae` of the contract). */
export function refuseAttributes(version: Version, params: Record<(typeof NAMES)[number], boolean>): void {
  const asked = version === 'v1' ? NAMES.find(name => params[name]) : undefined
  if (asked) throw badParam(asked, true, 'The recognition of gender, age and emotions (gae) is off here.')
}
