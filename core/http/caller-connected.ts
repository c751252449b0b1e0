/** Is the one who asked still there? Changes of the store are made for nobody else. */
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { ServiceError } from '../contract/errors.ts'

/**
 * Refuses to go on for a caller who has hung up. A process that stood still reads requests whose callers were told long
 * ago that it does not answer; that they have gone is read one turn of the event loop after what they sent.
 */
export async function requireCaller({ env }: Context): Promise<void> {
  const { incoming }: Partial<HttpBindings> = env ?? {}
  await turnOfLoop()
  await turnOfLoop()
  if (incoming?.socket.readableEnded) throw new ServiceError('SERVICE_UNAVAILABLE')
}
