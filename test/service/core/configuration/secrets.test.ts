/** Secrets of a data folder: created once, private, and never replaced silently. */

import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSecrets } from '#core/configuration/secrets.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'

it('openSecrets creates secrets once and returns the same afterwards', async () => {
  const data = await temporaryPath('not', 'there', 'yet')
  const secrets = await openSecrets(data)
  expect(await openSecrets(data)).toEqual(secrets)
  expect((await stat(join(data, 'secrets.json'))).mode & 0o777).toBe(0o600)
  expect(secrets.edge[0].key).not.toBe(secrets.links[0].key)
})

it('openSecrets returns the same secrets to concurrent callers', async () => {
  for (let round = 0; round < 10; round++) {
    const data = await temporaryFolder()
    const all = await Promise.all(times(30, () => openSecrets(data)))
    expect(new Set(all.map(secrets => JSON.stringify(secrets))).size).toBe(1)
    expect(await readdir(data)).toEqual(['secrets.json'])
  }
})

it.each(['', '{', '{}', '{"edge":"short","links":{"id":"a","key":"b"}}'])(
  'openSecrets reports a damaged file and does not change it: %s',
  async text => {
    const data = await temporaryFolder()
    await writeFile(join(data, 'secrets.json'), text)
    await expect(openSecrets(data)).rejects.toThrow(/secrets\.json is damaged/)
    expect(await readFile(join(data, 'secrets.json'), 'utf8')).toBe(text)
  },
)
