/** Scopes of tokens, and the operations that each scope allows. */
import * as z from 'zod'

export const SCOPES = ['read', 'enrol', 'camera', 'admin'] as const

export const ScopeSchema = z.enum(SCOPES)

/** `admin` allows everything. `camera` is for devices that can be stolen. */
export type Scope = (typeof SCOPES)[number]

/** Permissions that operations require, and the scopes that grant each permission. */
export const PERMISSIONS = {
  /** Read the token itself. */
  read_token: SCOPES,
  /** Detect faces on photos, search, and read stored data. */
  read: ['read', 'enrol', 'admin'],
  /** Read cameras. */
  read_cameras: ['read', 'enrol', 'camera', 'admin'],
  /** Post faces, and watch cameras. */
  post: ['enrol', 'camera', 'admin'],
  /** Add, change or delete a single item. */
  change: ['enrol', 'admin'],
  /** Delete many items at once, merge and split persons, or configure cameras. */
  administer: ['admin'],
} as const satisfies Record<string, readonly Scope[]>

export type Permission = keyof typeof PERMISSIONS

export const PermissionSchema = z.enum(Object.keys(PERMISSIONS) as [Permission, ...Permission[]])

/** Whether a scope sees user, password and other secrets in the URLs of cameras. */
export const seesCameraCredentials = (scope: Scope): boolean => scope === 'admin' || scope === 'camera'

/** The permissions that a scope grants. */
export const permissionsOf = (scope: Scope): Permission[] =>
  PermissionSchema.options.filter(permission => allows(scope, permission))

/** Whether a scope grants a permission. */
export const allows = (scope: Scope, need: Permission): boolean =>
  (PERMISSIONS[need] as readonly Scope[]).includes(scope)
