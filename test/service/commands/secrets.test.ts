/** `npm run secrets`, as an operator types it beside a core that runs. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { clientOf } from '../../../bench/harness/client.ts'
import { OWNER } from '../../../bench/harness/sample-faces.ts'
import { type Service, startService } from '../../../bench/harness/service.ts'
import { openSecrets } from '../../../core/configuration/secrets.ts'
import { encodeFrame } from '../../../core/contract/rpc/frame.ts'
import { EMBEDDER_HEADER, rpcPath } from '../../../core/contract/rpc/operations.ts'
import { signedHeaders, signingKey } from '../../../core/contract/rpc/signature.ts'
import { embedderLabel } from '../../../core/embedding/label.ts'
import { openLink, pictureLink } from '../../../core/pictures/links.ts'
import { STANDARD_PACK } from '../../../models/packs.ts'
import { startCore } from '../../unit/core/core-process.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'

const COMMAND = join(import.meta.dirname, '..', '..', '..', 'commands', 'secrets.ts')

function secrets(data: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args, '--data', data], {
    encoding: 'utf8',
    env: { ...process.env, MIEN_EDGE_SECRET: '' },
  })
  return { status, said: stdout + stderr }
}

/** The status of a question that is signed by this secret. */
async function asked(port: number, secret: string): Promise<number> {
  const path = rpcPath('galleries.list')
  const body = encodeFrame({ owner: OWNER })
  const signed = await signedHeaders(await signingKey(secret), { method: 'POST', path, body }, Date.now())
  const headers = { ...signed, [EMBEDDER_HEADER]: embedderLabel(STANDARD_PACK) }
  return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })).status
}

/** Resolves once a question signed by this secret gets this status. */
async function becomes(port: number, secret: string, status: number): Promise<void> {
  while ((await asked(port, secret)) !== status) await sleep(100)
}

it('rotates the key of the edge while core runs: both are accepted, until the old one is retired', async () => {
  const data = await temporaryFolder()
  const port = await startCore(data).port
  const older = secrets(data, 'show', 'edge').said.trim()
  expect(await asked(port, older)).toBe(200)
  expect(secrets(data, 'rotate', 'edge')).toMatchObject({ status: 0 })
  const newer = secrets(data, 'show', 'edge').said.trim()
  expect(newer).not.toBe(older)
  await becomes(port, newer, 200)
  expect(await asked(port, older)).toBe(200)
  expect(secrets(data, 'retire', 'edge')).toMatchObject({ status: 0 })
  await becomes(port, older, 401)
  expect(await asked(port, newer)).toBe(200)
})

it.each([
  { what: 'damaged', damage: (file: string) => writeFile(file, '{') },
  { what: 'gone', damage: (file: string) => rm(file) },
])('keeps the keys that there were while the file is $what', async ({ damage }) => {
  const data = await temporaryFolder()
  const core = startCore(data)
  const port = await core.port
  const { edge } = await openSecrets(data)
  const refused = new Promise<void>(resolve => {
    core.child.stdout?.on('data', text => String(text).includes('keys not reloaded') && resolve())
  })
  await damage(join(data, 'secrets.json'))
  await refused
  expect(await asked(port, edge[0].key)).toBe(200)
  core.child.kill('SIGKILL')
  await core.exit
})

it('rotates the key of links: those that were given out live on, until it is retired', async () => {
  const data = await temporaryFolder()
  const before = (await openSecrets(data)).links
  const now = Date.now()
  const link = pictureLink(before, { owner: OWNER, id: 7 }, 'thumbnail', now)
  expect(secrets(data, 'rotate', 'links')).toMatchObject({ status: 0 })
  const { links, edge } = await openSecrets(data)
  expect(links.map(({ id }) => id)).toEqual([expect.not.stringMatching(before[0].id), before[0].id])
  expect(openLink(links, link, now)).toBeDefined()
  expect(pictureLink(links, { owner: OWNER, id: 7 }, 'thumbnail', now)).toContain(`&key=${links[0].id}&`)
  expect(secrets(data, 'retire', 'links')).toMatchObject({ status: 0 })
  expect(openLink((await openSecrets(data)).links, link, now)).toBeUndefined()
  expect((await openSecrets(data)).edge).toEqual(edge)
})

it('takes the file of earlier versions, and writes its own', async () => {
  const data = await temporaryFolder()
  const older = { edge: 'e'.repeat(43), links: { id: 'a1b2c3d4', key: 'l'.repeat(43) } }
  await writeFile(join(data, 'secrets.json'), JSON.stringify(older))
  expect(await openSecrets(data)).toEqual({ edge: [{ key: older.edge }], links: [older.links] })
  expect(secrets(data, 'rotate', 'edge')).toMatchObject({ status: 0 })
  expect(await openSecrets(data)).toMatchObject({ edge: [{}, { key: older.edge }], links: [older.links] })
  expect((await stat(join(data, 'secrets.json'))).mode & 0o777).toBe(0o600)
  expect(await readdir(data)).toEqual(['secrets.json'])
})

it('lists the keys by their ids, and shows none of them', async () => {
  const data = await temporaryFolder()
  await openSecrets(data)
  secrets(data, 'rotate', 'links')
  const { status, said } = secrets(data, 'list')
  const { edge, links } = await openSecrets(data)
  expect(status).toBe(0)
  expect(said).toContain((await signingKey(edge[0].key)).id)
  for (const { id } of links) expect(said).toContain(id)
  for (const { key } of [...edge, ...links]) expect(said).not.toContain(key)
})

it.each([
  [['rotate'], 2, 'rotate edge, or rotate links'],
  [['rotate', 'all'], 2, 'rotate edge, or rotate links'],
  [['show', 'links'], 2, 'Only the key of edge'],
  [['erase'], 2, 'There is no command "erase"'],
  [[], 2, 'A command is missing.'],
  [['retire', 'edge'], 1, 'There is no previous key of edge.'],
])('refuses %j', async (args, status, reason) => {
  const data = await temporaryFolder()
  await openSecrets(data)
  const before = await readFile(join(data, 'secrets.json'), 'utf8')
  const answer = secrets(data, ...args)
  expect(answer).toMatchObject({ status, said: expect.stringContaining(reason) })
  expect(await readFile(join(data, 'secrets.json'), 'utf8')).toBe(before)
})

it('refuses to rotate twice: what the oldest key signed would end unsaid', async () => {
  const data = await temporaryFolder()
  await openSecrets(data)
  expect(secrets(data, 'rotate', 'links').status).toBe(0)
  expect(secrets(data, 'rotate', 'links')).toMatchObject({
    status: 1,
    said: expect.stringContaining('Retire it first.'),
  })
})

it('makes nothing where there is no data folder', async () => {
  const data = join(await temporaryFolder(), 'none')
  expect(secrets(data, 'rotate', 'edge')).toMatchObject({
    status: 1,
    said: expect.stringContaining(`There is no data folder ${data}.`),
  })
  expect(existsSync(data)).toBe(false)
})

it('a service answers through a rotation; an edge that kept the retired key is away, and no token is blamed', async () => {
  const service = await startService()
  onTestFinished(async () => {
    await service.stop()
    await service.remove()
  })
  const listed = async ({ edge, token }: Pick<Service, 'edge' | 'token'>) =>
    (await clientOf(edge, token)('GET', '/v0/galleries')).status
  const taken = (times: number) =>
    vi.waitUntil(() => service.output().split('"keys reloaded"').length > times, { timeout: 60_000 })
  expect(secrets(service.data, 'rotate', 'edge')).toMatchObject({ status: 0 })
  await taken(1)
  expect(await listed(service)).toBe(200)
  expect(secrets(service.data, 'retire', 'edge')).toMatchObject({ status: 0 })
  await taken(2)
  expect(await listed(service)).toBe(503)
  await service.stop()
  const again = await startService({ data: service.data })
  onTestFinished(async () => void (await again.stop()))
  expect(await listed(again)).toBe(200)
})
