/** Requests whose caller closes the connection: while the body arrives, and before the store is changed. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { environment } from '../../contract/environment.ts'
import { ServiceError } from '../../contract/errors.ts'

/**
 * Throws SERVICE_UNAVAILABLE when the caller has closed the connection. After a pause, a process reads requests whose callers
 * already timed out. It reads the end of a connection one turn of the event loop after the data.
 */
export async function requireCaller({ env }: Context): Promise<void> {
  const { incoming }: Partial<HttpBindings> = env ?? {}
  await environment.turn()
  await environment.turn()
  if (incoming?.socket.readableEnded) throw new ServiceError('SERVICE_UNAVAILABLE')
}

/** The result of reading a body. Throws SERVICE_UNAVAILABLE when the caller closes the connection before its end. */
export async function untilEnd<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ECONNRESET') throw cause
    throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause })
  }
}
