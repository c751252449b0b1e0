/** Temporary folders. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const PREFIX = join(tmpdir(), 'mien-test-')

const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 })

/** A folder for the length of one test. */
export async function temporaryFolder(): Promise<string> {
  const folder = mkdtempSync(PREFIX)
  onTestFinished(() => remove(folder))
  return folder
}

/** A folder for the tests of a file, or of a group. */
export function sharedFolder(): string {
  const folder = mkdtempSync(PREFIX)
  afterAll(() => remove(folder))
  return folder
}
