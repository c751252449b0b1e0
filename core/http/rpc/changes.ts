/** Changes that edges ask for: until when they may be written, what a failed change did, and stored answers for edges that lost them. */
import { environment } from '../../../contract/environment.ts'
import { errorAnswer, ServiceError } from '../../../contract/errors.ts'
import { EDGE_LIMITS } from '../../../contract/limits/edge.ts'
import { RPC_LIMITS } from '../../../contract/limits/rpc.ts'
import type { RpcRequest, RpcResponse } from '../../../contract/operations/messages.ts'
import { encodeFrame } from '../../../contract/rpc/frame.ts'
import { type Change, followChange } from '../../metadata/connection/change.ts'
import { apiRefusal } from '../refusals.ts'
import type { Nonces } from './nonces.ts'

/**
 * Runs a change. No transaction begins after `latestStart` (`environment.monotonic()`). Rejects with the error of the work, but
 * with OUTCOME_UNKNOWN instead of SERVICE_UNAVAILABLE when the work has or may have written data.
 */
export async function runChange<Result>(latestStart: number, work: () => Promise<Result>): Promise<Result> {
  const change: Change = { latestStart, state: 'open', isEnded: false }
  try {
    return await followChange(change, work)
  } catch (error) {
    const wasWritten = change.state !== 'open'
    if (wasWritten && errorAnswer(apiRefusal(error)).status === 503)
      throw new ServiceError('OUTCOME_UNKNOWN', {}, { cause: error })
    throw error
  }
}

/** Time in which an edge of 0.2.0, which names none, waits for the transaction of a change. */
const UNNAMED_MS = EDGE_LIMITS.coreAnswerMs - RPC_LIMITS.commitMs

/** The last start of a transaction for a change that arrived at `arrivedAt`. `within`: the parameter of the edge. */
export const latestStartOf = (arrivedAt: number, within: string | undefined): number =>
  arrivedAt +
  (/^\d{1,6}$/.test(within ?? '') ? Math.min(Number(within), EDGE_LIMITS.coreChangeMs) : UNNAMED_MS)

interface KeptAnswer {
  status: number
  frame: Uint8Array<ArrayBuffer>
}

interface Entry {
  answer: Promise<KeptAnswer>
  /** Absent: core executes the change. */
  settled?: { at: number; bytes: number }
}

/** Bytes of a kept answer beside its frame, about. */
const ENTRY_BYTES = 1_024

type Outcome = RpcResponse<'change.outcome'>

/** The answers to changes by the nonces of their requests: the latest ones of the last RPC_LIMITS.outcomesMs. */
export class ChangeOutcomes {
  readonly #entries = new Map<string, Entry>()
  readonly #startedAt = environment.monotonic()
  readonly #nonces: Nonces
  #bytes = 0

  constructor(nonces: Nonces) {
    this.#nonces = nonces
  }

  /** Runs a change and keeps its answer: the frame, or the refusal that its edge gets. */
  run(nonce: string, work: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
    this.#forget()
    const running = work()
    const entry: Entry = {
      answer: running.then(
        frame => ({ status: 200, frame }),
        error => refusalFrame(apiRefusal(error)),
      ),
    }
    this.#entries.set(nonce, entry)
    void entry.answer.then(({ frame }) => {
      const bytes = frame.length + ENTRY_BYTES
      entry.settled = { at: environment.monotonic(), bytes }
      this.#bytes += bytes
    })
    return running
  }

  /** See the message `change.outcome`. `now`: Unix milliseconds. */
  async outcomeOf(
    { nonce, signedAt }: RpcRequest<'change.outcome'>,
    now: number,
  ): Promise<{ response: Outcome; blobs: Uint8Array[] }> {
    const entry = this.#entries.get(nonce)
    if (entry) {
      const { status, frame } = await entry.answer
      return { response: { outcome: 'answered', status }, blobs: [frame] }
    }
    // An earlier process may have got the change. No edge asks about a change that is older than EDGE_LIMITS.coreChangeMs.
    const mayBeEarlier =
      environment.monotonic() - this.#startedAt < EDGE_LIMITS.coreChangeMs + START_MARGIN_MS
    const isNew = !mayBeEarlier && this.#nonces.remember(nonce, signedAt, now) === 'new'
    return { response: { outcome: isNew ? 'not executed' : 'unknown' }, blobs: [] }
  }

  #forget() {
    const old = environment.monotonic() - RPC_LIMITS.outcomesMs
    for (const [nonce, { settled }] of this.#entries) {
      if (!settled) continue
      if (settled.at > old && this.#bytes <= RPC_LIMITS.outcomesBytes) return
      this.#entries.delete(nonce)
      this.#bytes -= settled.bytes
    }
  }
}

/** Time of a question on its way. */
const START_MARGIN_MS = 1_000

/** The frame of a refusal with its status: code and detail of the error, if that is for callers. */
export function refusalFrame(error: unknown): KeptAnswer {
  const { code, detail } = error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR')
  return { status: errorAnswer(error).status, frame: encodeFrame({ code, detail }) }
}
