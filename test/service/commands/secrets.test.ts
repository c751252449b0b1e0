/** `mien secrets` beside a running core. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rpcPath } from '#contract/operations/messages.ts'
import { encodeFrame } from '#contract/rpc/frame.ts'
import { signedHeaders, signingKey } from '#contract/rpc/signature.ts'
import { openSecrets } from '#core/configuration/secrets.ts'
import { chipLabel } from '#core/embedding/label.ts'
import { withDatabase } from '#core/metadata/database.ts'
import { openLink, pictureLink } from '#core/pictures/links.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { runMien } from '#test/support/typed.ts'
import { startCore } from '../../unit/core/core-process.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'
import { edgeHeaders } from '../../unit/core/http/rpc/edge-headers.ts'

const secrets = (data: string, ...args: string[]) => runMien(['secrets', ...args, '--data', data])

/** The status of a request signed with this secret. */
async function asked(port: number, secret: string) {
  const path = rpcPath('galleries.list')
  const body = encodeFrame({ owner: OWNER })
  const signed = await signedHeaders(await signingKey(secret), { method: 'POST', path, body }, Date.now())
  const headers = { ...signed, ...edgeHeaders(chipLabel(STANDARD_PACK)) }
  return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })).status
}

/** Resolves once a request signed with this secret gets this status. */
async function becomes(port: number, secret: string, status: number) {
  while ((await asked(port, secret)) !== status) await sleep(100)
}

it('mien secrets rotates the edge key of a running core, and core accepts the old key until it is retired', {
  tags: 'long',
}, async () => {
  const data = await temporaryFolder()
  const port = await startCore(data).port
  const older = secrets(data, 'show', 'edge').said.trim()
  expect(await asked(port, older)).toBe(200)
  expect(secrets(data, 'rotate', 'edge')).toExit(0)
  const newer = secrets(data, 'show', 'edge').said.trim()
  expect(newer).not.toBe(older)
  await becomes(port, newer, 200)
  expect(await asked(port, older)).toBe(200)
  expect(secrets(data, 'retire', 'edge')).toExit(0)
  await becomes(port, older, 401)
  expect(await asked(port, newer)).toBe(200)
})

it('core keeps its keys while secrets.json is damaged', { tags: 'long' }, async () => {
  const data = await temporaryFolder()
  const core = startCore(data)
  const port = await core.port
  const { edge } = await openSecrets(data)
  const refused = new Promise<void>(resolve => {
    core.child.stdout?.on('data', text => String(text).includes('keys not reloaded') && resolve())
  })
  await writeFile(join(data, 'secrets.json'), '{')
  await refused
  expect(await asked(port, edge[0].key)).toBe(200)
  core.child.kill('SIGKILL')
  await core.exit
})

it('mien secrets rotates the key of picture links, and old links stay valid until it is retired', async () => {
  const data = await temporaryFolder()
  const before = (await openSecrets(data)).links
  const now = Date.now()
  const link = pictureLink(before, { owner: OWNER, id: 7 }, 'thumbnail', now)
  expect(secrets(data, 'rotate', 'links')).toExit(0)
  const { links, edge } = await openSecrets(data)
  expect(links.map(({ id }) => id)).toEqual([expect.not.stringMatching(before[0].id), before[0].id])
  expect(openLink(links, link, now)).toBeDefined()
  expect(pictureLink(links, { owner: OWNER, id: 7 }, 'thumbnail', now)).toContain(`&key=${links[0].id}&`)
  const listed = secrets(data, 'list').said
  for (const { id } of links) expect(listed).toContain(id)
  for (const { key } of [...edge, ...links]) expect(listed).not.toContain(key)
  const again = secrets(data, 'rotate', 'links')
  expect(again).toExit(1, 'Retire it first.')
  expect(secrets(data, 'retire', 'links')).toExit(0)
  expect(openLink((await openSecrets(data)).links, link, now)).toBeUndefined()
  expect((await openSecrets(data)).edge).toEqual(edge)
})

it('mien secrets makes a new key of evidence', async () => {
  const data = await temporaryFolder()
  await openSecrets(data)
  for (const id of [1, 2]) {
    expect(secrets(data, 'rotate', 'evidence')).toExit(0)
    const rows = await withDatabase(data, {}, database =>
      database.run('SELECT id, private_key FROM evidence_keys'),
    )
    expect(rows.rows).toHaveLength(id)
    expect(rows.rows.filter(row => row.private_key !== null)).toMatchObject([{ id }])
  }
})

it('mien secrets reads the file of earlier versions and writes the current format', async () => {
  const data = await temporaryFolder()
  const older = { edge: 'e'.repeat(43), links: { id: 'a1b2c3d4', key: 'l'.repeat(43) } }
  await writeFile(join(data, 'secrets.json'), JSON.stringify(older))
  expect(await openSecrets(data)).toEqual({ edge: [{ key: older.edge }], links: [older.links] })
  expect(secrets(data, 'rotate', 'edge')).toExit(0)
  expect(await openSecrets(data)).toMatchObject({ edge: [{}, { key: older.edge }], links: [older.links] })
  expect((await stat(join(data, 'secrets.json'))).mode & 0o777).toBe(0o600)
  expect(await readdir(data)).toEqual(['secrets.json'])
})

it('mien secrets retires nothing before a rotation', async () => {
  const data = await temporaryFolder()
  await openSecrets(data)
  const before = await readFile(join(data, 'secrets.json'), 'utf8')
  const reason = 'There is no previous key of edge.'
  expect(secrets(data, 'retire', 'edge')).toExit(1, reason)
  expect(await readFile(join(data, 'secrets.json'), 'utf8')).toBe(before)
})
