/** A client of the simulated service: sends requests, repeats them, and reports their outcomes to the model. */
import { sleep } from '#contract/environment.ts'
import { ServiceError } from '#contract/errors.ts'
import type { RpcOperation, RpcRequest, RpcResponse } from '#contract/operations/messages.ts'
import { RPC_OPERATIONS } from '#contract/operations/messages.ts'
import { apiRefusal } from '#core/http/refusals.ts'
import type { Cluster } from './cluster.ts'
import type { OwnerModel } from './model.ts'
import type { Scheduler } from './scheduler.ts'

/** A promise of the service that does not hold. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

/**
 * `refused` and `unavailable`: nothing has changed. `unknown`: the request was executed, or not, or in part until a reconciliation.
 */
export type Outcome<Value> =
  | { kind: 'done'; value: Value }
  | { kind: 'refused'; code: string }
  | { kind: 'unavailable' }
  | { kind: 'unknown' }

/** A caller of the history: the id of its token. */
export const BY = '0123456789ab'

/** Operations that delete several faces. */
const DELETIONS = new Set<RpcOperation>(['person.delete', 'gallery.delete', 'faces.delete-with-meta'])

/** Refusals after which nothing has changed. */
const REFUSALS = new Set(['NOT_FOUND', 'BAD_PARAM', 'GALLERY_EXISTS', 'NO_FACES'])

export function clientOf(
  scheduler: Scheduler,
  cluster: Cluster,
  owner: OwnerModel,
  violate: (error: unknown) => void,
) {
  const { chance } = scheduler

  /** Sends a request to one of the cores. Throws Violation for an answer that no client expects. */
  async function send<Name extends RpcOperation>(
    name: Name,
    request: Omit<RpcRequest<Name>, 'owner' | 'by'>,
    blobs: readonly Uint8Array[] = [],
  ): Promise<Outcome<RpcResponse<Name>>> {
    if (DELETIONS.has(name)) owner.openDeletions++
    const core = await cluster.core()
    const isChange = RPC_OPERATIONS[name].audit !== undefined
    const full = { ...request, owner: owner.id, ...(isChange && { by: BY }) } as unknown as RpcRequest<Name>
    if (isChange) count(owner.begun, name)
    const answer = core.request(name, full, blobs).then(
      (value): Outcome<RpcResponse<Name>> => ({ kind: 'done', value }),
      error => outcomeOf(name, error),
    )
    const died = core.process.death.promise.then(() => ({ kind: 'unknown' }) as const)
    const outcome = await Promise.race([answer, died])
    if (DELETIONS.has(name) && outcome.kind !== 'unknown') owner.openDeletions--
    if (outcome.kind === 'done' && isChange) count(owner.acknowledged, name)
    return outcome
  }

  return {
    owner,
    chance,
    send,
    /** Sends a request until it is answered, some of them twice at once. Gives up now and then. */
    async repeat<Name extends RpcOperation>(...request: Parameters<typeof send<Name>>) {
      for (;;) {
        if (chance.is(0.1)) void send(...request).catch(violate)
        const outcome = await send(...request)
        const isAnswered = outcome.kind === 'done' || outcome.kind === 'refused'
        if (isAnswered || chance.is(0.1)) return outcome
        await sleep(chance.below(2_000))
      }
    },
  }
}

export type Client = ReturnType<typeof clientOf>

const count = (counts: Map<string, number>, name: string) =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

function outcomeOf(name: string, error: unknown): Outcome<never> {
  if (error instanceof ServiceError && REFUSALS.has(error.code)) return { kind: 'refused', code: error.code }
  const answer = apiRefusal(error)
  const code = answer instanceof ServiceError ? answer.code : undefined
  if (code === 'SERVICE_UNAVAILABLE') return { kind: 'unavailable' }
  if (code !== 'OUTCOME_UNKNOWN') throw new Violation(`${name} fails: ${textOf(error)}`, { cause: error })
  return { kind: 'unknown' }
}

const textOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause ? ` <- ${textOf(error.cause)}` : ''}`
    : String(error)
