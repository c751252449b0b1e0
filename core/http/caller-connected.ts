/** Checks that the caller is still connected before the store is changed. */
import { setImmediate as eventLoopTurn } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { ServiceError } from '../contract/errors.ts'

/**
 * Throws SERVICE_UNAVAILABLE when the caller has closed the connection. After a pause, a process reads requests whose callers
 * already timed out. It reads the end of a connection one turn of the event loop after the data.
 */
export async function requireCaller({ env }: Context): Promise<void> {
  const { incoming }: Partial<HttpBindings> = env ?? {}
  await eventLoopTurn()
  await eventLoopTurn()
  if (incoming?.socket.readableEnded) throw new ServiceError('SERVICE_UNAVAILABLE')
}
