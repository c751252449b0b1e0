/** Enrolments on full storage: the answer names the cause, the log has a 507, and nothing stays. */
import { expect, it, vi } from 'vitest'
import { enrolment, faceOf } from '#bench/harness/sample-faces.ts'
import { decodeFrame } from '#contract/rpc/frame.ts'
import { rpcPath } from '#contract/rpc/operations.ts'
import type { Facts } from '#core/log.ts'
import { intents } from '#core/metadata/schema.ts'
import { StoreUnavailable } from '#core/vector-store/vector-store.ts'
import { kept, openWorld } from '../operations/world.ts'
import { asked } from './asked.ts'

it.each([
  { what: 'the store', error: new StoreUnavailable('full') },
  { what: 'a file', error: Object.assign(new Error(), { code: 'ENOSPC' }) },
  { what: 'a database', error: Object.assign(new Error(), { code: 'SQLITE_FULL' }) },
])(
  'an enrolment that $what has no room for gets 503 with the cause, and 507 in the log',
  async ({ error }) => {
    const lines: Facts[] = []
    const world = await openWorld()
    const { post } = await asked(world, undefined, (event, facts) => lines.push({ event, ...facts }))
    vi.spyOn(world.vectors, 'add').mockRejectedValue(error)
    const { chip, thumbnail } = faceOf(5, 6, 7)
    const response = await post(rpcPath('enrol'), enrolment(1), [chip.data, thumbnail.data])
    expect(response.status).toBe(503)
    expect(decodeFrame(new Uint8Array(await response.arrayBuffer())).header).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      detail: { reason: 'The storage of the service is full. Reads and deletions go on.', retryAfter: 10 },
    })
    expect(lines).toMatchObject([{ event: 'request', status: 507 }])
    expect(await kept(world)).toEqual({ vectors: [], pictures: [] })
    expect(await world.database.$count(intents)).toBe(0)
  },
)
