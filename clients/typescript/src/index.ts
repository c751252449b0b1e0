/** Entry of the package: everything that programs import. */
export { type ClientOptions, MienClient } from './client.ts'
export { type ErrorCode, MienError, MienNetworkError, MienTimeoutError } from './errors.ts'
export { boxOf, type Photo } from './fields.ts'
export type { EventConnection, EventOptions, LiveAlert, LiveEvent, LiveEvents } from './live-events.ts'
export { type Page, Pages } from './pages.ts'
export type { Alerts, Cameras, History } from './resources/cameras.ts'
export type {
  EnrolOptions,
  FaceOptions,
  Faces,
  FacesFilter,
  Galleries,
  Metas,
  MetasFilter,
} from './resources/faces.ts'
export type { Persons, SummariesFilter } from './resources/persons.ts'
export type { Service, Tokens, Users } from './resources/service.ts'
export type { CallOptions } from './send.ts'
export type * from './types.ts'
