/** The audit log, and the state of the service. */
import { Pages } from '../pages.ts'
import type { CallOptions, Send } from '../send.ts'
import type { AuditEntry, AuditVerification, ServiceState } from '../types.ts'

/** Filter of the audit log, and the size of the pages that are requested. */
export interface AuditLogFilter {
  /** Entries with a smaller `seq`. */
  max_seq?: number
  pageSize?: number
}

export class Service {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Version, models, calibration, shards, backups, drills and response times. */
  get(options?: CallOptions): Promise<ServiceState> {
    return this.#send({ method: 'GET', path: '/service' }, options)
  }

  /** Lists the changes of the data of the owner, newest first. */
  auditLog({ pageSize, ...filter }: AuditLogFilter = {}, options?: CallOptions): Pages<AuditEntry> {
    return new Pages(query => this.#send({ method: 'GET', path: `/audit-log${query}` }, options), {
      ...filter,
      limit: pageSize,
    })
  }

  /** Verifies further entries of the audit log. It is complete when `verified_to` equals `last`. */
  verifyAuditLog(options?: CallOptions): Promise<AuditVerification> {
    return this.#send({ method: 'GET', path: '/audit-log/verification' }, options)
  }
}
