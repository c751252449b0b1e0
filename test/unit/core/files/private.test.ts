/** What a data folder holds is for its owner alone, whatever the mode of the folder and whatever was there before. */
import { chmod, glob, lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { restrictModes } from '../../../../core/files/private.ts'
import { startCore } from '../core-process.ts'
import { temporaryFolder } from '../folder.ts'

/** Paths below the folder that the group or everybody may use. */
async function open(data: string): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob('**', { cwd: data })) {
    const { mode } = await lstat(join(data, path))
    if (path !== '.' && path !== '' && (mode & 0o077) !== 0) found.push(path)
  }
  return found.sort()
}

it('a service makes files of its own for their owner alone, in a folder that all can read', async () => {
  const data = await temporaryFolder()
  await chmod(data, 0o755)
  const before = process.umask(0o022)
  const core = startCore(data)
  process.umask(before)
  const port = await core.port
  const vector = Buffer.from(Float32Array.of(1, 2, 3).buffer)
  for (const id of [1, 2, 3])
    expect(
      (await fetch(`http://127.0.0.1:${port}/v1/doors/add/${id}`, { method: 'POST', body: vector })).status,
    ).toBe(200)
  await fetch(`http://127.0.0.1:${port}/v1/doors/index`, { method: 'POST' })
  expect(await open(data)).toEqual([])
  core.child.kill('SIGTERM')
  await core.exit
  expect(await open(data)).toEqual([])
  expect((await lstat(data)).mode & 0o777).toBe(0o755)
})

it('takes the rights of others away from what is there already, and leaves what is not ours', async () => {
  const data = await temporaryFolder()
  await mkdir(join(data, 'vectors', 'shard-0'), { recursive: true })
  for (const path of ['metadata.db', 'vectors/shard-0/rows.db', 'facenapi.ini', 'notes.txt']) {
    await writeFile(join(data, path), 'x')
    await chmod(join(data, path), 0o644)
  }
  await chmod(join(data, 'vectors'), 0o755)
  await chmod(join(data, 'vectors', 'shard-0'), 0o700)
  expect(await restrictModes(data)).toEqual({ changed: 3, refused: [] })
  expect(await open(data)).toEqual(['facenapi.ini', 'notes.txt'])
})
