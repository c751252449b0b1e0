/** Entry of the package: everything that programs import. */
export {
  type ClientOptions,
  type DetectedFace,
  MienClient,
  type VerifyAnswer,
  type VerifyPersonAnswer,
  type VerifyPersonParameters,
} from './client.ts'
export { type ErrorCode, MienError, MienNetworkError, MienTimeoutError } from './errors.ts'
export { boxOf, type Photo } from './fields.ts'
export type { EventConnection, EventOptions, LiveAlert, LiveEvent, LiveEvents } from './live-events.ts'
export type { Cameras, History, Metas, Persons, Service, Tokens, Users } from './methods.ts'
export { type Page, Pages } from './pages.ts'
export type { Alerts, EnrolOptions, Faces, Galleries } from './resources.ts'
export type { CallOptions } from './send.ts'
export type * from './types.ts'
