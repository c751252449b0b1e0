/** Connections of libsql live until they are garbage-collected, and keep others of the same process from a file. */
import { setImmediate as immediate } from 'node:timers/promises'
import { collectGarbage } from '../../../core/vector-store/garbage.ts'

/** Resolves when those that were closed are gone. */
export async function letGo(): Promise<void> {
  await immediate()
  collectGarbage()
  await immediate()
}
