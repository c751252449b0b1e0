/** How the visitor is signed in: by a token, which is in the session storage of the tab and nowhere else, or by a session. */
import { createContext } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
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

/** Whether the token grants this permission. Components hide controls without permission. */
export const useAllowed = (needs: Permission): boolean => useToken().permissions.includes(needs)

/** Calls `receive` with the messages of the other tabs on this topic. Returns a function that sends one to them. */
export function useTabs<T>(topic: string, receive: (message: T) => void): (message: T) => void {
  const { owner } = useToken()
  const channel = useRef<BroadcastChannel>(undefined)
  const receiver = useRef(receive)
  receiver.current = receive
  useEffect(() => {
    const opened = new BroadcastChannel(`mien ${topic} ${owner}`)
    opened.onmessage = ({ data }) => receiver.current(data)
    channel.current = opened
    return () => opened.close()
  }, [topic, owner])
  return message => channel.current?.postMessage(message)
}
