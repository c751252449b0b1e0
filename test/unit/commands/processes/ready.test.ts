/** The token and the link of a start: receivers and times. */
import { firstLink, pageAddress, starterToken } from '#commands/processes/ready.ts'
import type { Role } from '#contract/model/user.ts'
import { createToken, listOwners } from '#core/metadata/access/issue-tokens.ts'
import { ownerFor } from '#core/metadata/access/owners.ts'
import { addPasskey, insertUser } from '#core/metadata/access/users.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { temporaryFolder } from '../../core/folder.ts'

const PAGE = 'http://localhost:8787'

/** Gives the owner a user who has a passkey for this host. */
async function addUser(data: string, owner: string, role: Role, domain: string) {
  const database = await openDatabase(data)
  const id = `${role} ${domain}`
  const user = { id, owner: (await ownerFor(database, owner))!, name: id, role, created: 0 }
  await insertUser(database, { ...user, link: id, linkExpires: 9 })
  const passkey = { id, name: '', domain, publicKey: '', counter: 0, created: 1, challenged: 0 }
  await addPasskey(database, id, passkey)
  await closeDatabase(database)
}

const linkOf = (data: string, publicUrl?: string) => firstLink(data, { page: PAGE, publicUrl }, {})

describe('the link of a start', () => {
  it('is there until an administrator can sign in, for the page of the service', async () => {
    const data = await temporaryFolder()
    await starterToken(data, {})
    const link = expect.stringMatching(/^http:\/\/localhost:8787\/#\/sign-in\/mien_\w{46}$/)
    expect(await linkOf(data)).toEqual(link)
    await addUser(data, 'starter', 'manage', 'localhost')
    expect(await linkOf(data)).toEqual(link)
    await addUser(data, 'starter', 'administer', 'localhost')
    expect(await linkOf(data)).toBeUndefined()
    expect(await linkOf(data, 'https://mien.example')).toEqual(link)
    await addUser(data, 'starter', 'administer', 'mien.example')
    expect(await linkOf(data, 'https://mien.example')).toBeUndefined()
  })

  it.each([
    ['http://127.0.0.1:8787', '', PAGE],
    ['http://[::1]:8787', '', PAGE],
    ['http://192.0.2.1:8787', '', 'http://192.0.2.1:8787'],
    ['http://127.0.0.1:8787', 'https://mien.example/', 'https://mien.example'],
  ])('leads browsers of %s and "%s" to a page where passkeys work', (edge, publicUrl, page) => {
    expect(pageAddress(edge, publicUrl)).toBe(page)
  })
})

it('a start makes no second owner beside one that an operator made', async () => {
  const data = await temporaryFolder()
  await createToken({ data, owner: 'ann', name: '' })
  await starterToken(data, {})
  await linkOf(data)
  expect(await listOwners(data, {})).toEqual(['ann'])
})
