/** The token of the visitor as a context of all pages, and what it allows. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { CurrentToken } from '../../clients/typescript/src/index.ts'

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
