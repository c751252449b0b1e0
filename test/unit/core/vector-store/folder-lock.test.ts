/** The lock of the store's folder: exclusive within and between processes, and free after any exit. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockFolder, VectorFileLocked } from '#core/vector-store/folder-lock.ts'
import { temporaryFolder } from '../folder.ts'

const modulePath = new URL('../../../../core/vector-store/folder-lock.ts', import.meta.url).href

const script = (folder: string, then: string) => `import { lockFolder } from ${JSON.stringify(modulePath)}
  try { lockFolder(${JSON.stringify(folder)}); ${then} }
  catch (error) { process.exit(error.name === 'VectorFileLocked' ? 7 : 1) }`

const run = (code: string) =>
  spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

it('lockFolder refuses a second lock, in this and another process, until release', async () => {
  const folder = await temporaryFolder()
  const lock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(VectorFileLocked)
  expect(await once(run(script(folder, 'process.exit(0)')), 'exit')).toEqual([7, null])
  expect(statSync(join(folder, 'lock.db')).size).toBe(0)
  lock.release()
  lockFolder(folder).release()
})

it('lockFolder succeeds after the owner of the lock was killed', async () => {
  const folder = await temporaryFolder()
  const child = run(script(folder, "console.log('locked'); setInterval(() => {}, 1_000)"))
  await once(child.stdout!, 'data')
  expect(() => lockFolder(folder)).toThrow(VectorFileLocked)
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockFolder(folder).release()
})
