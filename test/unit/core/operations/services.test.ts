import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStores } from '#core/operations/services.ts'

describe('openStores', () => {
  let data: string
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'mien-stores-'))
    await (await openStores(data)).close()
  })
  afterEach(() => rm(data, { recursive: true, force: true }))

  it.each(['metadata.db', 'vectors/exact.db', 'vectors/shard-0/rows.db'])(
    'refuses a damaged %s with its path, and leaves the file unchanged',
    async name => {
      const file = join(data, name)
      const garbage = randomBytes(20_000)
      await writeFile(file, garbage)
      await expect(openStores(data)).rejects.toMatchObject({
        name: 'ConfigurationError',
        message: expect.stringContaining(file),
      })
      expect(await readFile(file)).toEqual(garbage)
    },
  )

  it('opens when the damaged file is replaced', async () => {
    const file = join(data, 'metadata.db')
    const good = await readFile(file)
    await writeFile(file, 'not a database, by any means')
    await expect(openStores(data)).rejects.toThrow()
    await writeFile(file, good)
    await (await openStores(data)).close()
  })
})
