/** Errors about edges that core cannot serve. Their codes are for the log; callers learn what an operator has to do. */
import { ServiceError } from '../../../contract/errors.ts'
import { RPC_VERSION } from '../../../contract/rpc/headers.ts'

/** An edge that has to be replaced. */
export abstract class EdgeMismatch extends Error {
  /** What edge and core have, because the log contains the code of an error. */
  abstract readonly code: string
  /** For callers of the API. */
  abstract readonly reason: string
}

/** Edge and core use embedders of different packs. The part with the older deployment has to be updated. */
export class EmbedderMismatch extends EdgeMismatch {
  override readonly name = 'EmbedderMismatch'
  readonly code: string
  readonly reason = 'Edge and core use different packs. Restart the edge with the pack of core.'

  /** The labels of both embedders (embedding/label.ts). */
  constructor(edge: string | undefined, core: string) {
    super()
    this.code = `edge=${edge !== undefined && LABEL.test(edge) ? edge : 'unknown'} core=${core}`
  }
}

/** Labels of edges that are written to the log. */
const LABEL = /^[\w.-]{1,100}$/

/** The edge is neither of core's version nor of the one before. */
export class VersionMismatch extends EdgeMismatch {
  override readonly name = 'VersionMismatch'
  readonly code: string
  readonly reason: string

  constructor(edge: number) {
    super()
    this.code = `edge=${edge} core=${RPC_VERSION}`
    this.reason = `The version of the edge does not fit that of core. Upgrade ${edge > RPC_VERSION ? 'core' : 'the edge'}.`
  }
}

/** What an edge is told: 503, because another edge serves the request. */
export const mismatchRefusal = (cause: EdgeMismatch): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', { reason: cause.reason }, { cause })
