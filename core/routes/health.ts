/** Is the process up, and is it ready for work? For whoever starts, watches or balances it. */
import { Hono } from 'hono'

/** `/healthz` answers while the process does; `/readyz` answers 200 while work is taken and everything needed answers. */
export function healthRoutes(isReady: () => Promise<boolean>): Hono {
  return new Hono()
    .get('/healthz', context => context.json({ status: 'up' }))
    .get('/readyz', async context =>
      (await isReady()) ? context.json({ status: 'ready' }) : context.json({ status: 'not ready' }, 503),
    )
}
