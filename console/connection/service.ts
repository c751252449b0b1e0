/** The service that the page belongs to: a client with the visitor's token or session, and the state of the connection. */
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import {
  MienClient,
  MienError,
  MienNetworkError,
  MienTimeoutError,
} from '../../clients/typescript/src/index.ts'
import { hashOf, type Route } from '../route.ts'
import { TEXTS } from '../texts.ts'
import type { Credential } from './session.ts'

export interface Service {
  client: MienClient
  /** For work beside the pages. Its changes leave every way back open. */
  backgroundClient: MienClient
  /** False from a failed request until the next answer. */
  isOnline: Store<boolean>
  /** Grows each time the connection is back. Lists that failed to load then load again. */
  recoveries: Store<number>
  /** Number of unseen alerts. */
  unseen: Store<number>
  /** Grows with each change by `client`. A way back ends with the next change. */
  changes: Store<number>
  /** Grows with each change of the settings. The token has the settings of persons. */
  settings: Store<number>
  /** Notice on the page of this hash about the action that led there. */
  notice: Store<{ hash: string; text: string } | undefined>
  /** Origin and path of the page, without a slash at the end. */
  url: string
}

export interface ServiceOptions {
  url: string
  credential: Credential
  /** Called when the service refuses the token or the session. */
  onRefused: () => void
}

export const ServiceContext = createContext<Service | undefined>(undefined)

/** The service. Throws outside a signed-in page. */
export function useService(): Service {
  const service = useContext(ServiceContext)
  if (!service) throw new Error('No service outside a signed-in page.')
  return service
}

/** The client of the service, for requests of the visitor. */
export const useClient = (): MienClient => useService().client

/** Leads to a page. The page shows the text about the finished action. */
export function leaveFor({ notice }: Service, route: Route, text: string): void {
  const hash = hashOf(route)
  location.hash = hash
  notice.set({ hash, text })
}

/** Requests with a body that change nothing. */
const READ_PATHS = /\/(detect|identify|verify)$/

/** Requests that change settings. */
const SETTINGS = /\/v1\/settings$/

/** Milliseconds between two checks of a lost connection. */
const CHECK_MS = 1_500

/** Throws TypeError for a token with characters that no token has. */
export function openService({ url, credential, onRefused }: ServiceOptions): Service {
  const isOnline = store(true)
  const recoveries = store(0)
  const unseen = store(0)
  const changes = store(0)
  const settings = store(0)

  const wentOnline = () => {
    if (isOnline.get()) return
    isOnline.set(true)
    recoveries.set(recoveries.get() + 1)
  }
  const check = async (): Promise<void> => {
    await new Promise(resolve => setTimeout(resolve, CHECK_MS))
    if (isOnline.get()) return
    const isBack = await fetch(`${url}/healthz`, { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    return isBack ? wentOnline() : check()
  }
  const wentOffline = () => {
    if (!isOnline.get()) return
    isOnline.set(false)
    void check()
  }
  const countChange = (changed: string) => {
    changes.set(changes.get() + 1)
    if (SETTINGS.test(changed)) settings.set(settings.get() + 1)
  }
  const watched =
    (isCounted: boolean): typeof fetch =>
    async (input, init) => {
      try {
        // A deletion is sent to the end when the page is closed.
        const sent = { ...init, keepalive: init?.method === 'DELETE' }
        const response = await fetch(input, 'csrf' in credential ? withSession(sent, credential.csrf) : sent)
        wentOnline()
        if (response.status === 401) onRefused()
        if (isCounted && response.ok && /P|D/.test(init?.method ?? '') && !READ_PATHS.test(String(input)))
          countChange(String(input))
        return response
      } catch (error) {
        if (!init?.signal?.aborted) wentOffline()
        throw error
      }
    }
  const token = 'token' in credential ? credential.token : NO_TOKEN
  const clientWith = (isCounted: boolean) =>
    new MienClient({ url, token, fetch: watched(isCounted), retries: 2 })
  return {
    client: clientWith(true),
    backgroundClient: clientWith(false),
    isOnline,
    recoveries,
    unseen,
    changes,
    settings,
    notice: store<ReturnType<Service['notice']['get']>>(undefined),
    url,
  }
}

/** Stands for the token in a client whose requests have a session. It is not sent. */
const NO_TOKEN = 'session'

/** The browser adds the cookie of the session to the request. */
function withSession(init: RequestInit | undefined, csrf: string): RequestInit {
  const headers = new Headers(init?.headers)
  headers.delete('authorization')
  headers.set('x-csrf-token', csrf)
  return { ...init, headers }
}

/** The URL of the service, from the URL of the page. */
export const serviceUrl = (page: string): string => new URL('.', page).href.replace(/\/$/, '')

/** A link of the service on the origin of the page, which the policy of the page demands. */
export function sameOrigin(url: string, link: string): string {
  const start = link.indexOf('/pictures/')
  return start < 0 ? '' : url + link.slice(start)
}

/** What to tell the visitor about an error. The reasons of the API are sentences already. */
export function sentenceOf(error: unknown): string {
  if (error instanceof MienTimeoutError) return TEXTS.errors.timeout
  if (error instanceof MienNetworkError) return TEXTS.errors.network
  if (!(error instanceof MienError)) return TEXTS.errors.unexpected
  if (error.reason === 'Not found.') return TEXTS.errors.gone
  const text = error.reason.replace(/^photo[12]: /, name => TEXTS.errors.photos[name] ?? name)
  const reason = /[.!?]$/.test(text) ? text : `${text}.`
  return error.status === 429 && error.retryAfter
    ? `${reason} ${TEXTS.errors.retryAfter(error.retryAfter)}`
    : reason
}

/** A value that components follow. */
export interface Store<T> {
  get(): T
  set(value: T): void
  /** Calls the listener after each change. Returns a function that ends this. */
  subscribe(listener: () => void): () => void
}

export function store<T>(initial: T): Store<T> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return
      current = value
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The current value. The component renders again after a change. */
export function useStore<T>(followed: Store<T>): T {
  const [value, setValue] = useState(followed.get())
  useEffect(() => {
    setValue(() => followed.get())
    return followed.subscribe(() => setValue(() => followed.get()))
  }, [followed])
  return value
}
