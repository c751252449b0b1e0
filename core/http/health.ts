/** Is the process up, and is it ready for work? For whoever starts, watches or balances it. */
import { Hono } from 'hono'

export interface Health {
  isReady(): Promise<boolean>
  /** Whether there is too little room on the disk for writes. */
  isFull(): Promise<boolean>
}

/** What an operator reads of a full disk. */
const DEGRADED = {
  status: 'degraded',
  reason: 'disk full',
  detail: 'Writes are refused with 503. Reads and deletions go on.',
} as const

/**
 * `/healthz` answers while the process does. `/readyz` answers 200 while work is taken and everything needed answers. A full
 * disk is reported there with 200: a balancer that takes the core out would end reads and deletions, too.
 */
export function healthRoutes({ isReady, isFull }: Health): Hono {
  return new Hono()
    .get('/healthz', context => context.json({ status: 'up' }))
    .get('/readyz', async context => {
      if (!(await isReady())) return context.json({ status: 'not ready' }, 503)
      return context.json((await isFull()) ? DEGRADED : { status: 'ready' })
    })
}
