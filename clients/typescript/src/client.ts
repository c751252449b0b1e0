/** The client: connection options, and the methods that are not generated. */
import type { Photo } from './fields.ts'
import {
  type EventOptions,
  type LiveAlert,
  type LiveEvent,
  type LiveEvents,
  liveEvents,
} from './live-events.ts'
import { liveImages, type StreamOptions, viewedCameras } from './live-view.ts'
import { Cameras, History, Metas, Persons, PhotoMethods, Service, Tokens, Users } from './methods.ts'
import { Alerts, Faces, Galleries } from './resources.ts'
import type { operations } from './schema.ts'
import { type CallOptions, type Connection, sender } from './send.ts'
import type { DetectAnswer, EventFilter, VerifyParameters } from './types.ts'

type Verification = operations['verify']['responses'][200]['content']['application/json']
type Pair = Verification['results'][number]

/** An answer of `verify`: its results have the field of the compared face or person. */
type Verified<Other extends 'bbox2' | 'person'> = Omit<Verification, 'results'> & {
  results: (Omit<Pair, 'bbox2' | 'person'> & Required<Pick<Pair, Other>>)[]
}
/** A face that `detect` found: its box and the requested details. */
export type DetectedFace = DetectAnswer['faces'][number]
export type VerifyAnswer = Verified<'bbox2'>
export type VerifyPersonAnswer = Verified<'person'>
export type VerifyPersonParameters = Omit<VerifyParameters, 'bbox2'>

export interface ClientOptions {
  /** URL of the service without the version, for example `http://127.0.0.1:8787`. Undefined is refused. */
  url: string | URL | undefined
  /** Token of the service, `mien_...`. Undefined is refused. */
  token: string | undefined
  /** Milliseconds for a call, retries included. Default: 120,000. */
  timeoutMs?: number
  /** Retries of a call at most. Default: 4. */
  retries?: number
  /** Milliseconds before the first retry, doubled before each further one. Default: 250. */
  retryDelayMs?: number
  /** Replaces the global `fetch`, for example by the `fetch` of a service binding. */
  fetch?: typeof fetch
}

/** A client of the API. Parameters and answers have the names of the API. */
export class MienClient extends PhotoMethods {
  /** Enrolled faces. */
  readonly faces: Faces
  readonly metas: Metas
  readonly galleries: Galleries
  readonly persons: Persons
  readonly cameras: Cameras
  /** Alert rules and their webhooks. */
  readonly alerts: Alerts
  readonly history: History
  /** Tokens of the owner. */
  readonly tokens: Tokens
  /** People with access through the console. */
  readonly users: Users
  /** The audit log, and the state of the service. */
  readonly service: Service
  readonly #connection: Connection

  /** Throws TypeError for a missing or invalid URL or token. */
  constructor(options: ClientOptions) {
    const connection = connectionOf(options)
    const send = sender(connection)
    super(send)
    this.#connection = connection
    this.faces = new Faces(send)
    this.metas = new Metas(send)
    this.galleries = new Galleries(send)
    this.persons = new Persons(send)
    this.cameras = new Cameras(send)
    this.alerts = new Alerts(send)
    this.history = new History(send)
    this.tokens = new Tokens(send)
    this.users = new Users(send)
    this.service = new Service(send)
  }

  /** Compares the faces of two photos. */
  verify(
    photo1: Photo,
    photo2: Photo,
    parameters: VerifyParameters = {},
    options?: CallOptions,
  ): Promise<VerifyAnswer> {
    return this.#verify({ photo1, photo2 }, parameters, options)
  }

  /** Compares the faces of a photo with a person. */
  verifyPerson(
    photo1: Photo,
    person_id: number,
    parameters: VerifyPersonParameters = {},
    options?: CallOptions,
  ): Promise<VerifyPersonAnswer> {
    return this.#verify({ photo1 }, { ...parameters, person_id }, options)
  }

  /**
   * Follows the events of cameras as they arrive: faces that were posted with a `cam_id`. It connects again by itself, and
   * resumes without losing an event. The iteration ends when the caller leaves it, with `break` or through `signal`.
   * With `alerts`, it yields the alerts of all rules, too: those about faces of the filter, and tests.
   */
  events(options: EventFilter & EventOptions & { alerts: true }): LiveEvents<LiveEvent | LiveAlert>
  events(options?: EventFilter & EventOptions): LiveEvents<LiveEvent>
  events({
    lastEventId,
    signal,
    onConnection,
    onPosition,
    ...filter
  }: EventFilter & EventOptions & { alerts?: true } = {}): LiveEvents<LiveEvent | LiveAlert> {
    return liveEvents(this.#connection, filter, { lastEventId, signal, onConnection, onPosition })
  }

  /** The JPEG images of a camera, as they arrive. It ends after some minutes, and when no image arrives: call it again. */
  live(camera: string, options: StreamOptions = {}): AsyncGenerator<Blob, void, undefined> {
    return liveImages(this.#connection, camera, options)
  }

  /** The ids of the cameras whose live view has viewers, for their watcher. It ends after some minutes: call it again. */
  viewers(options: StreamOptions = {}): AsyncGenerator<string[], void, undefined> {
    return viewedCameras(this.#connection, options)
  }

  #verify<Answer>(photos: Record<string, Photo>, body: object, options?: CallOptions): Promise<Answer> {
    return this.send(
      { method: 'POST', path: '/verify', body: { ...body }, photos, repeatable: true },
      options,
    )
  }
}

/**
 * The connection of a client. Throws TypeError for a missing or invalid URL or token. Messages name neither: both may be
 * secret.
 */
export function connectionOf({ url, token, ...options }: ClientOptions): Connection {
  if (url === undefined) throw new TypeError('url: missing. Pass the URL of the service.')
  if (token === undefined) throw new TypeError('token: missing. Pass the text of a token, `mien_...`.')
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token: expected the text of a token, `mien_...`.')
  if (!URL.canParse(String(url))) throw new TypeError('url: expected the URL of the service.')
  const { protocol, origin, pathname, username, password } = new URL(url)
  if (!/^https?:$/.test(protocol) || username || password)
    throw new TypeError('url: expected an http or https URL without a user name.')
  return {
    base: `${origin}${pathname.replace(/\/+$/, '')}/v1`,
    token,
    timeoutMs: options.timeoutMs ?? 120_000,
    retries: options.retries ?? 4,
    retryDelayMs: options.retryDelayMs ?? 250,
    // A browser refuses a `fetch` that is called as a method of another object.
    fetch: options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request)),
  }
}
