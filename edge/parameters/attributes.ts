/** Gender, age and emotions as parameters: read by v1, unknown to v0. */
import {
  attributesAreOff,
  firstRequested,
  type RequestedAttributes,
} from '../../core/contract/model/attributes.ts'
import type { OperationCall } from '../operations/route.ts'
import { boolean, withDefault } from './parameter-fields.ts'

export const attributes = {
  age: withDefault(boolean, false),
  gender: withDefault(boolean, false),
  emotions: withDefault(boolean, false),
}

/** What a call asks for, if anything. BAD_PARAM where the recognition of attributes is off. */
export function requestedAttributes({
  caller,
  version,
  params: { age, gender, emotions },
}: Pick<OperationCall<RequestedAttributes>, 'caller' | 'version' | 'params'>):
  | RequestedAttributes
  | undefined {
  const asked = { age, gender, emotions }
  if (version === 'v0' || !firstRequested(asked)) return undefined
  if (!caller.gae) throw attributesAreOff(asked)
  return asked
}
