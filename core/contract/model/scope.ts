/** Scopes of tokens: which kinds of operations each lets its bearer ask for. */
import * as z from 'zod'

export const SCOPES = ['read', 'enrol', 'camera', 'admin'] as const

export const ScopeSchema = z.enum(SCOPES)

/** `admin` may do everything; `camera` is for a device that hangs where somebody may take it away. */
export type Scope = (typeof SCOPES)[number]

/** What an operation needs its caller to be allowed, and the scopes that allow it. */
export const NEEDS = {
  /** Photos are looked at and searched for, and what is kept is read. */
  read: ['read', 'enrol', 'admin'],
  /** Cameras are read. */
  'read cameras': ['read', 'enrol', 'camera', 'admin'],
  /** Faces are posted. */
  post: ['enrol', 'camera', 'admin'],
  /** One thing at a time is added, changed or taken back. */
  change: ['enrol', 'admin'],
  /** Much is deleted at once, or cameras are set up. */
  administer: ['admin'],
} as const satisfies Record<string, readonly Scope[]>

export type Need = keyof typeof NEEDS

export const allows = (scope: Scope, need: Need): boolean => (NEEDS[need] as readonly Scope[]).includes(scope)
