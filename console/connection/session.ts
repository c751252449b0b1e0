/** How the visitor is signed in: by a token, which is in the session storage of the tab and nowhere else, or by a session. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { CurrentToken } from '../../clients/typescript/src/index.ts'

const KEY = 'mien.token'

/** A token, or the CSRF token of a session, which is in a cookie. */
export type Credential = { token: string } | { csrf: string }

export const storedToken = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined

export const storeToken = (token: string): void => sessionStorage.setItem(KEY, token)

/** Forgets the token and everything else of the session. */
export const forgetSession = (): void => sessionStorage.clear()

/** Removes what surrounds a pasted token: spaces, quotes, and the name of the authentication scheme. */
export const tokenIn = (typed: string): string =>
  typed
    .trim()
    .replace(/^(?:Authorization:\s*)?(?:Token|Bearer)\s+/i, '')
    .replace(/^["']|["']$/g, '')

export type Permission = CurrentToken['permissions'][number]

export const TokenContext = createContext<CurrentToken | undefined>(undefined)

/** The token. Throws outside a signed-in page. */
export function useToken(): CurrentToken {
  const token = useContext(TokenContext)
  if (!token) throw new Error('No token outside a signed-in page.')
  return token
}

/** Whether the token grants this permission. Components hide what it does not allow. */
export const useAllowed = (needs: Permission): boolean => useToken().permissions.includes(needs)
