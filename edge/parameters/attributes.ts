/** Parameters `age`, `gender` and `emotions`: part of v1, unknown to v0. */
import {
  attributesAreOff,
  firstRequested,
  type RequestedAttributes,
} from '../../contract/model/attributes.ts'
import type { OperationCall } from '../operations/route.ts'
import { boolean, withDefault } from './parameter-fields.ts'

export const attributes = {
  age: withDefault(boolean, false),
  gender: withDefault(boolean, false),
  emotions: withDefault(boolean, false),
}

/** The attributes that a call requests; undefined for none. Throws BAD_PARAM when attribute recognition is off. */
export function requestedAttributes({
  caller,
  version,
  params: { age, gender, emotions },
}: Pick<OperationCall<RequestedAttributes>, 'caller' | 'version' | 'params'>):
  | RequestedAttributes
  | undefined {
  const requested = { age, gender, emotions }
  if (version === 'v0' || !firstRequested(requested)) return undefined
  if (!caller.gae) throw attributesAreOff(requested)
  return requested
}
