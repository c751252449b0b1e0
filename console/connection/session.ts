/** The token of the visitor. It is in the session storage of the tab, and nowhere else. */

const KEY = 'mien.token'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'clear'>

export const storedToken = (storage: Storage = sessionStorage): string | undefined =>
  storage.getItem(KEY) ?? undefined

export const storeToken = (token: string, storage: Storage = sessionStorage): void =>
  storage.setItem(KEY, token)

/** Forgets the token and everything else of the session. */
export const forgetSession = (storage: Storage = sessionStorage): void => storage.clear()

/** Removes what surrounds a pasted token: spaces, quotes, and the name of the authentication scheme. */
export const tokenIn = (typed: string): string =>
  typed
    .trim()
    .replace(/^(?:Authorization:\s*)?(?:Token|Bearer)\s+/i, '')
    .replace(/^["']|["']$/g, '')
