/** Asks a core what became of a change whose answer was lost. */
import { sleep } from '../../contract/environment.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import type { RpcResponse } from '../../contract/operations/messages.ts'
import { RPC_VERSION, VERSION_HEADER } from '../../contract/rpc/message-headers.ts'
import type { SignatureHeaders } from '../../contract/rpc/signature.ts'
import { CoreUnavailable } from './core-response.ts'

/** A change that was sent, and the cause of the loss of its answer. */
interface SentChange {
  stamp: Pick<SignatureHeaders, 'nonce' | 'time'>
  cause: unknown
}

/** Only a core of this version knows the outcome of a change. */
const OF_THIS_VERSION = { [VERSION_HEADER]: String(RPC_VERSION) }

/** Sends `change.outcome` to the core that got the change. Throws CoreUnavailable. */
type AskOutcome = (request: {
  nonce: string
  signedAt: number
}) => Promise<{ response: RpcResponse<'change.outcome'>; blobs: Uint8Array[] }>

/**
 * Core's answer to the change. Asks until core knows the outcome, or the signal aborts. Throws CoreUnavailable: `unreached` when core
 * did not execute the change and never will, `unknown` when the outcome cannot be learnt.
 */
export async function answerToChange(
  { stamp, cause }: SentChange,
  ask: AskOutcome,
  signal: AbortSignal,
): Promise<Response> {
  const { nonce, time } = stamp
  while (!signal.aborted) {
    const told = await ask({ nonce, signedAt: Number(time) }).catch(error => {
      if (error instanceof CoreUnavailable && error.why !== 'older') return undefined
      throw new CoreUnavailable('unknown', error)
    })
    if (told?.response.outcome === 'not executed') throw new CoreUnavailable('unreached', cause)
    if (told?.response.outcome === 'unknown') break
    const [answer] = told?.blobs ?? []
    if (answer)
      return new Response(new Uint8Array(answer), {
        status: told!.response.status ?? 200,
        headers: OF_THIS_VERSION,
      })
    await sleep(EDGE_LIMITS.outcomePauseMs, { signal }).catch(() => {})
  }
  throw new CoreUnavailable('unknown', cause)
}
