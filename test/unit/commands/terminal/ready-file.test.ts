/** ready.json, and its removal after its launcher has ended. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readReady, removeStaleReady, writeReady } from '#commands/terminal/ready-file.ts'
import { temporaryFolder } from '../../core/folder.ts'

const READY = { edge: 'http://127.0.0.1:1', core: 'http://127.0.0.1:2', token: 'x', pid: process.pid }

async function folderWith(ready: object) {
  const data = await temporaryFolder()
  await writeReady(data, { ...READY, ...ready })
  return data
}

/** The id of a process that has ended. */
async function deadPid() {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid!
}

describe('ready.json', () => {
  it('is read while its launcher runs, and undefined when there is no file', async () => {
    expect(await readReady(await folderWith({}))).toEqual(READY)
    expect(await readReady(await temporaryFolder())).toBeUndefined()
  })

  it('is refused when its launcher has ended, and removed by the next start', async () => {
    const data = await folderWith({ pid: await deadPid() })
    await expect(readReady(data)).rejects.toThrow('is out of date')
    await removeStaleReady(data)
    expect(existsSync(join(data, 'ready.json'))).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')(
    'is refused when another process has reused the id of its launcher',
    async () => {
      const data = await folderWith({})
      await utimes(join(data, 'ready.json'), new Date(), new Date('2001-01-01'))
      await expect(readReady(data)).rejects.toThrow('is out of date')
    },
  )

  it.each(['', 'null', '{"pid":"x"}', '{"pid":-1}'])('is refused when it contains %j', async text => {
    const data = await temporaryFolder()
    await writeFile(join(data, 'ready.json'), text)
    await expect(readReady(data)).rejects.toThrow('is out of date')
  })
})
