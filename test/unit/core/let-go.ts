/** Frees closed libsql connections. They live until garbage collection, and block the file for the process until then. */
import { setImmediate as immediate } from 'node:timers/promises'
import { collectGarbage } from '#core/vector-store/background.ts'

/** Resolves when closed connections are collected. */
export async function letGo(): Promise<void> {
  await immediate()
  collectGarbage()
  await immediate()
}
