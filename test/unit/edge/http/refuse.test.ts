/** Which refusals count as an overload of the isolate. */
import { ServiceError } from '#contract/errors.ts'
import { CoreUnavailable } from '#edge/core-client/core-response.ts'
import { isIsolateOverloaded } from '#edge/http/refuse.ts'

it('isIsolateOverloaded is true only for an overload of the isolate itself', () => {
  expect(isIsolateOverloaded(new ServiceError('SERVICE_UNAVAILABLE'))).toBe(true)
  expect(isIsolateOverloaded(new CoreUnavailable('unavailable'))).toBe(false)
  expect(isIsolateOverloaded(new ServiceError('AUTH_FAILED'))).toBe(false)
})
