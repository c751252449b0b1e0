/** Tokens and users of the owner, the audit log, and the state and the settings of the service. */

import { segment } from '../fields.ts'
import { type Pages, Resource } from '../pages.ts'
import type { CallOptions } from '../send.ts'
import type {
  AuditEntry,
  AuditVerification,
  CreatedToken,
  CurrentToken,
  Invitation,
  InvitedUser,
  RotatedToken,
  RotationParameters,
  ServiceSettings,
  ServiceState,
  SettingsChange,
  Token,
  TokenParameters,
  User,
} from '../types.ts'

/** Filter of the audit log, and the size of the pages that are requested. */
interface AuditLogFilter {
  /** Entries with a smaller `seq`. */
  max_seq?: number
  pageSize?: number
}

export class Service extends Resource {
  /** Version, models, calibration, shards, backups, drills and response times. */
  get(options?: CallOptions): Promise<ServiceState> {
    return this.send({ method: 'GET', path: '/service' }, options)
  }

  /** Lists the changes of the data of the owner, newest first. */
  auditLog({ pageSize, ...filter }: AuditLogFilter = {}, options?: CallOptions): Pages<AuditEntry> {
    return this.pages('/audit-log', options, { ...filter, limit: pageSize })
  }

  /** Verifies further entries of the audit log. It is complete when `verified_to` equals `last`. */
  verifyAuditLog(options?: CallOptions): Promise<AuditVerification> {
    return this.send({ method: 'GET', path: '/audit-log/verification' }, options)
  }

  /** Asks for a backup. `get` tells when it is complete. */
  requestBackup(options?: CallOptions): Promise<void> {
    return this.send({ method: 'POST', path: '/backups' }, options)
  }

  /** The settings that can be changed while the service runs, with their origins. */
  settings(options?: CallOptions): Promise<ServiceSettings> {
    return this.send({ method: 'GET', path: '/settings' }, options)
  }

  changeSettings(change: SettingsChange, options?: CallOptions): Promise<ServiceSettings> {
    return this.send({ method: 'PUT', path: '/settings', body: change }, options)
  }
}

export class Tokens extends Resource {
  /** The token of this client: its owner, its scope, and what the scope allows. */
  current(options?: CallOptions): Promise<CurrentToken> {
    return this.send({ method: 'GET', path: '/token' }, options)
  }

  /** Lists the tokens of the owner: valid ones first, then those that have ended. */
  list(options?: CallOptions): Pages<Token> {
    return this.pages('/tokens', options)
  }

  /** Creates a token. Only this answer has its text. Not repeated after a lost answer: that could create a second one. */
  create(parameters: TokenParameters, options?: CallOptions): Promise<CreatedToken> {
    return this.send({ method: 'POST', path: '/tokens', body: parameters }, options)
  }

  /** Replaces a token. The old one stays valid for `grace_hours`, 24 without them. Only this answer has the new text. */
  rotate(id: string, parameters: RotationParameters = {}, options?: CallOptions): Promise<RotatedToken> {
    return this.send({ method: 'POST', path: `/tokens/${segment(id)}/rotate`, body: parameters }, options)
  }

  /** Ends a token. Every edge refuses it within 20 seconds. */
  revoke(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/tokens/${segment(id)}` }, options)
  }
}

/** People with access through the console. */
export class Users extends Resource {
  /** Lists the users by name, with their passkeys and sessions. */
  list(options?: CallOptions): Pages<User> {
    return this.pages('/users', options)
  }

  /** Invites somebody. Only this answer has the link. A known user gets another one with `again`, and `lost` ends the passkeys. */
  invite(parameters: Invitation, options?: CallOptions): Promise<InvitedUser> {
    return this.send({ method: 'POST', path: '/users', body: parameters }, options)
  }

  /** Deletes a user with passkeys and sessions. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/users/${segment(id)}` }, options)
  }

  /** Removes a passkey, and ends the other sessions of its user. */
  deletePasskey(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/passkeys/${segment(id)}` }, options)
  }

  endSession(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/sessions/${segment(id)}` }, options)
  }
}
