/** The connection to a metadata server: authentication, outages, and the database that belongs to a folder. */

import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client'
import { type RpcOperation, rpcPath } from '#contract/operations/messages.ts'
import { ownerNamed } from '#core/metadata/access/owners.ts'
import { faultOfUrl } from '#core/metadata/connection/address.ts'
import { isDatabaseUnavailable } from '#core/metadata/connection/availability.ts'
import { closeDatabase, type MetadataSettings, openDatabase, ping } from '#core/metadata/database.ts'
import { enrolment, FACE, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { databaseServerOfTest } from '#test/support/servers/database-server.ts'
import { times } from '#test/support/times.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'
import { openRoutes } from '../http/asked.ts'
import { openCores } from '../operations/neighbours.ts'
import { expectKept } from '../operations/world.ts'

async function started(args: readonly string[] = []) {
  const server = await databaseServerOfTest({ args })
  return server
}

/** A server that requires a token, and a valid token. */
async function guarded() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const file = await temporaryPath('key.pem')
  await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }))
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part({ a: 'rw' })}`
  const token = `${head}.${sign(null, Buffer.from(head), privateKey).toString('base64url')}`
  return { server: await started(['--auth-jwt-key-file', file]), token }
}

const opened = async (data: string, settings: MetadataSettings) => {
  const database = await openDatabase(data, settings)
  onTestFinished(() => closeDatabase(database))
  return database
}

it('openDatabase needs the token of the server, and its errors contain no token', async () => {
  const { server, token } = await guarded()
  const data = await temporaryFolder()
  const { url } = server
  const refusal = (wrong?: string) =>
    openDatabase(data, { database: { url, token: wrong } }).catch((error: Error) => error.message)
  expect(await refusal()).toBe(`The database at ${url} wants a token: MIEN_DATABASE_TOKEN.`)
  const wrong = `${token.slice(0, -8)}AAAAAAAA`
  expect(await refusal(wrong)).toBe(`The database at ${url} refuses MIEN_DATABASE_TOKEN.`)
  await ping(await opened(data, { database: { url, token } }))
})

it('a server outage is reported once, and the database works again afterwards', async () => {
  const server = await started()
  const news: string[] = []
  const database = await opened(await temporaryFolder(), {
    database: { url: server.url },
    onDatabase: event => news.push(event),
  })
  await server.kill()
  for (let i = 0; i < 3; i++)
    expect(isDatabaseUnavailable(await ping(database).catch(error => error))).toBe(true)
  expect(news).toEqual(['database unavailable'])
  await server.start()
  await ping(database)
  expect(news).toEqual(['database unavailable', 'database available'])
})

it('every call during a server outage gets 503 and leaves nothing', { tags: 'long' }, async () => {
  const server = await started()
  const [core] = await openCores(1, { url: server.url })
  const { post } = await openRoutes(core!)
  const { chip, thumbnail } = FACE
  const requests: [RpcOperation, unknown, Uint8Array[]][] = [
    ['galleries.list', { owner: OWNER }, []],
    ['caller', { tokenHash: 'a'.repeat(64) }, []],
    ['gallery.create', { owner: OWNER, by: TOKEN, gallery: 'g' }, []],
    ['enrol', enrolment(1), [chip.data, thumbnail.data]],
    ['ready', {}, []],
  ]
  await server.kill()
  for (const [verb, request, blobs] of requests)
    expect({ verb, status: (await post(rpcPath(verb), request, blobs)).status }).toEqual({
      verb,
      status: 503,
    })
  await server.start()
  await expectKept(core!)
  for (const [verb, request, blobs] of requests)
    expect({ verb, status: (await post(rpcPath(verb), request, blobs)).status }).toEqual({
      verb,
      status: verb === 'caller' ? 401 : 200,
    })
})

it('a write waits while another connection holds the database', async () => {
  const { url } = await started()
  const database = await opened(await temporaryFolder(), { database: { url } })
  const other = createClient({ url })
  onTestFinished(() => other.close())
  const transaction = await other.transaction('write')
  await transaction.execute("INSERT INTO owners (id, name, created) VALUES ('a', 'ann', 0)")
  const writing = Promise.all(times(40, i => ownerNamed(database, { id: `${i}`, name: `${i}`, created: 0 })))
  await sleep(1_000)
  await transaction.commit()
  expect(new Set((await writing).map(({ id }) => id)).size).toBe(40)
})

it('writes give up after waiting too long for others', { tags: 'long' }, async () => {
  const server = await started()
  const database = await opened(await temporaryFolder(), { database: { url: server.url } })
  process.kill(server.pid(), 'SIGSTOP')
  const asked = times(20, i => ownerNamed(database, { id: `${i}`, name: `${i}`, created: 0 }))
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(17)
  process.kill(server.pid(), 'SIGCONT')
  await ping(database)
})

it('openDatabase waits for a late server up to patienceMs', async () => {
  const server = await started()
  const data = await temporaryFolder()
  await server.kill()
  const database = { url: server.url }
  await expect(openDatabase(data, { database })).rejects.toThrow(
    `The database at ${server.url} does not answer.`,
  )
  const opening = opened(data, { database, patienceMs: 30_000 })
  await server.start()
  await ping(await opening)
})

it('openDatabase refuses another database than the recorded one', async () => {
  const [data, other] = [await temporaryFolder(), await temporaryFolder()]
  const url = pathToFileURL(join(other, 'shared.db')).href
  await closeDatabase(await openDatabase(data, { database: { url } }))
  await expect(openDatabase(data)).rejects.toThrow(
    `The metadata of ${data} is at ${url}: set MIEN_DATABASE_URL.`,
  )
  await closeDatabase(await openDatabase(other))
  await expect(openDatabase(other, { database: { url } })).rejects.toThrow(
    'has metadata.db, with other faces',
  )
  const sealed = { dataKey: { id: 'k', key: Buffer.alloc(32) } as never, database: { url } }
  await expect(openDatabase(data, sealed)).rejects.toThrow('its metadata has to be in it')
})

it.each([
  ['libsql://db.example.com', undefined],
  ['https://db.example.com:8080', undefined],
  ['http://127.0.0.1:8080', undefined],
  ['file:/srv/mien.db', undefined],
  ['file:mien.db', 'by its absolute path'],
  ['libsql://db.example.com?authToken=abc', 'must not have a token'],
  ['https://user:secret@db.example.com', 'must not have a token'],
  ['ws://db.example.com', 'must be like'],
  ['postgres://db.example.com', 'must be like'],
  ['nonsense', 'must be like'],
])('faultOfUrl accepts or refuses %s', (url, fault) => {
  if (fault === undefined) expect(faultOfUrl(url)).toBeUndefined()
  else expect(faultOfUrl(url)).toContain(fault)
})
