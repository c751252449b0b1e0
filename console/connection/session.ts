/** The token of the visitor, and what it allows. It is in the session storage of the tab, and nowhere else. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { CurrentToken } from '../../clients/typescript/src/index.ts'

const KEY = 'mien.token'

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
