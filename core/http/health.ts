/** Health routes for process managers, monitoring and load balancers. */
import { Hono } from 'hono'

/** State that the health routes report. */
export interface Health {
  /** Whether core accepts requests and its dependencies respond. */
  isReady(): Promise<boolean>
  /** Whether the disk has too little free space for writes. */
  isFull(): Promise<boolean>
}

/** Body of `/readyz` while the disk is full. */
const DEGRADED = {
  status: 'degraded',
  reason: 'disk full',
  detail: 'Writes are refused with 503. Reads and deletions continue.',
} as const

/**
 * `/healthz` returns 200 while the process runs. `/readyz` returns 200 while core accepts requests and its dependencies
 * respond, else 503. A full disk is reported with 200: with 503 a load balancer would also stop reads and deletions.
 */
export function healthRoutes({ isReady, isFull }: Health): Hono {
  return new Hono()
    .get('/healthz', context => context.json({ status: 'up' }))
    .get('/readyz', async context => {
      if (!(await isReady())) return context.json({ status: 'not ready' }, 503)
      return context.json((await isFull()) ? DEGRADED : { status: 'ready' })
    })
}
