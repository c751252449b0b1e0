/** Gender, age and emotions as parameters: read by v1, unknown to v0. */
import { type Asked, attributesAreOff, firstAsked } from '../../core/contract/model/attributes.ts'
import type { Call } from '../operations/route.ts'
import { boolean, withDefault } from './parameter-fields.ts'

export const attributes = {
  age: withDefault(boolean, false),
  gender: withDefault(boolean, false),
  emotions: withDefault(boolean, false),
}

/** What a call asks for, if anything. BAD_PARAM where the recognition of attributes is off. */
export function askedOf({
  caller,
  version,
  params: { age, gender, emotions },
}: Pick<Call<Asked>, 'caller' | 'version' | 'params'>): Asked | undefined {
  const asked = { age, gender, emotions }
  if (version === 'v0' || !firstAsked(asked)) return undefined
  if (!caller.gae) throw attributesAreOff(asked)
  return asked
}
