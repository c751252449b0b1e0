/** Temporary folders. */

import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediate } from 'node:timers/promises'
import { afterAll, onTestFinished } from 'vitest'
import { collectGarbage } from '#core/vector-store/background.ts'

const PREFIX = join(tmpdir(), 'mien-test-')

const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 })

/** A folder for the length of one test. */
export async function temporaryFolder(): Promise<string> {
  const folder = mkdtempSync(PREFIX)
  onTestFinished(() => remove(folder))
  return folder
}

/** An unused path in a temporary folder. */
export const temporaryPath = async (...names: string[]) => join(await temporaryFolder(), ...names)

/** A folder for the tests of a file, or of a group. */
export function sharedFolder(): string {
  const folder = mkdtempSync(PREFIX)
  afterAll(() => remove(folder))
  return folder
}

/** Resolves when closed libsql connections are collected. They block their file for the process until then. */
export async function letGo(): Promise<void> {
  await immediate()
  collectGarbage()
  await immediate()
}
