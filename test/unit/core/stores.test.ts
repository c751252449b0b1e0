import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStores } from '#core/stores.ts'
import { temporaryFolder } from './folder.ts'

it('openStores refuses each damaged file with its path, leaves it unchanged, and opens once it is replaced', async () => {
  const data = await temporaryFolder()
  await (await openStores(data)).close()
  const garbage = randomBytes(20_000)
  const databases = ['metadata.db', 'vectors/shard-0/rows.db']
  const records = ['layout', 'shards', 'generation'].map(name => `vectors/${name}.json`)
  for (const name of [...databases, ...records, 'pictures.json', 'installation.json']) {
    const file = join(data, name)
    const good = await readFile(file).catch(() => undefined)
    await writeFile(file, garbage)
    await expect(openStores(data), name).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining(file),
    })
    expect(await readFile(file)).toEqual(garbage)
    if (good) await writeFile(file, good)
    else await rm(file)
  }
  await (await openStores(data)).close()
})
