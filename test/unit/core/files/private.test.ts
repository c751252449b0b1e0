/** Files of a data folder are accessible to their owner only, and replaced ones are overwritten. */
import { closeSync, linkSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { chmod, glob, lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceAndWipe } from '#core/files/durable.ts'
import { openPaths, restrictModes } from '#core/files/private.ts'
import { startCore } from '../core-process.ts'
import { temporaryFolder } from '../folder.ts'

/** Paths below the folder that the group or others can access. */
async function accessibleToOthers(data: string) {
  const found: string[] = []
  for await (const path of glob('**', { cwd: data })) {
    const { mode } = await lstat(join(data, path))
    if (path !== '.' && path !== '' && (mode & 0o077) !== 0) found.push(path)
  }
  return found.sort()
}

it('core creates files for their owner only, in a folder that everybody can read', {
  tags: 'long',
}, async () => {
  const data = await temporaryFolder()
  await chmod(data, 0o755)
  const before = process.umask(0o022)
  const core = startCore(data)
  process.umask(before)
  const port = await core.port
  const vector = Buffer.from(Float32Array.of(1, 2, 3).buffer)
  for (const id of [1, 2, 3])
    await expect(
      fetch(`http://127.0.0.1:${port}/v1/doors/add/${id}`, { method: 'POST', body: vector }),
    ).toAnswer(200)
  await fetch(`http://127.0.0.1:${port}/v1/doors/index`, { method: 'POST' })
  expect(await accessibleToOthers(data)).toEqual([])
  core.child.kill('SIGTERM')
  await core.exit
  expect(await accessibleToOthers(data)).toEqual([])
  expect((await lstat(data)).mode & 0o777).toBe(0o755)
})

it("restrictModes restricts the service's existing files, and leaves other files unchanged", async () => {
  const data = await temporaryFolder()
  await mkdir(join(data, 'vectors', 'shard-0'), { recursive: true })
  for (const path of ['metadata.db', 'vectors/shard-0/rows.db', 'facenapi.ini', 'notes.txt']) {
    await writeFile(join(data, path), 'x')
    await chmod(join(data, path), 0o644)
  }
  await chmod(join(data, 'vectors'), 0o755)
  await chmod(join(data, 'vectors', 'shard-0'), 0o700)
  expect((await openPaths(data)).sort()).toEqual(
    ['metadata.db', 'vectors', 'vectors/shard-0/rows.db'].map(path => join(data, path)),
  )
  expect(await restrictModes(data)).toEqual({ changed: 3, refused: [] })
  expect(await openPaths(data)).toEqual([])
  expect(await accessibleToOthers(data)).toEqual(['facenapi.ini', 'notes.txt'])
})

it('replaceAndWipe overwrites the replaced file, but not one with another hard link', async () => {
  const folder = await temporaryFolder()
  const [alone, linked, other, next] = ['a', 'b', 'c', 'd'].map(name => join(folder, name))
  for (const path of [alone!, linked!]) writeFileSync(path, 'personal data')
  linkSync(linked!, other!)
  const old = openSync(alone!, 'r')
  for (const path of [alone!, linked!]) {
    writeFileSync(next!, 'new')
    await replaceAndWipe(path, () => renameSync(next!, path))
    expect(readFileSync(path, 'utf8')).toBe('new')
  }
  expect(readFileSync(old)).toEqual(Buffer.alloc('personal data'.length))
  closeSync(old)
  expect(readFileSync(other!, 'utf8')).toBe('personal data')
})
