import { pathToFileURL } from 'node:url'
import { openKeys } from '#core/configuration/secrets.ts'
import { listTokens } from '#core/metadata/access/issue-tokens.ts'
import { openStores } from '#core/stores.ts'
import { runMien } from '#test/support/typed.ts'
import { temporaryFolder, temporaryPath } from '../../unit/core/folder.ts'

const command = (data: string, url: string, ...args: string[]) =>
  runMien([...args, '--data', data], { MIEN_DATABASE_URL: url })

/** A data folder whose metadata is in a file elsewhere. */
async function served() {
  const data = await temporaryFolder()
  const url = pathToFileURL(await temporaryPath('elsewhere.db')).href
  ;(
    await openKeys(
      { data, edgeSecret: undefined, edgeSecretPrevious: undefined },
      { taken() {}, refused() {} },
    )
  ).close()
  await (await openStores(data, { database: { url } })).close()
  return { data, url, database: { url } }
}

describe('a data folder with MIEN_DATABASE_URL', { tags: 'long' }, () => {
  it('has its tokens, owners and audit log in the database', async () => {
    const { data, url, database } = await served()
    expect(command(data, url, 'token', 'create', '--owner', 'ann')).toExit(0)
    expect(await listTokens(data, { database })).toMatchObject([{ owner: 'ann' }])
    expect(command(data, url, 'owner', 'delete', 'ann', '--yes').said).toContain('deleted')
    const { said } = command(data, url, 'audit', 'list')
    expect(said).toMatch(/token\.create.*owner\.delete.*owner\.gone/s)
    expect(command(data, url, 'audit', 'verify')).toExit(0)
    expect(command(data, url, 'store', 'verify')).toExit(0, 'All is well.')
  })

  it('has a separate backup, and mien backup names it', async () => {
    const { data, url } = await served()
    const said = expect.stringContaining('Back the database up by its own means')
    expect(command(data, url, 'backup', 'copy')).toMatchObject({ status: 1, said })
  })
})
