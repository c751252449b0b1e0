/** An encrypted service: the same answers, no plaintext on the disk, and no access without the key. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientOf, form, sample } from '#test/support/client.ts'
import { descendantOf } from '#test/support/processes.ts'
import { type Service, startService } from '#test/support/service.ts'
import { runMien } from '#test/support/typed.ts'
import { foundIn, KEY_TEXT, NEW_KEY, NEW_KEY_TEXT, OPERATOR } from '../../unit/core/backup/keys.ts'
import { startCore } from '../../unit/core/core-process.ts'
import { temporaryFolder, temporaryPath } from '../../unit/core/folder.ts'
import { openWorld } from '../core/operations/world.ts'

const KEY = { MIEN_ENCRYPTION_KEY: KEY_TEXT }
const WRONG_KEY = { MIEN_ENCRYPTION_KEY: NEW_KEY_TEXT }

const run = (command: string, data: string, env: Record<string, string>, ...args: string[]) =>
  runMien([command, ...args, '--data', data], env)

const META = 'known to the house since 1987'
const PHOTO = 'the-wedding-of-ann.jpg'
const NAME = 'Ann Example'

const PLAINTEXT = {
  meta: Buffer.from(META),
  photo: Buffer.from(PHOTO),
  owner: Buffer.from(NAME),
  gallery: Buffer.from('nightshift'),
  'the start of a JPEG': Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 0x43, 0]),
  'the start of a PNG': Buffer.from('\x89PNG\r\n', 'latin1'),
  'a table': Buffer.from('CREATE TABLE'.concat(' `faces`')),
}

describe('an encrypted service', { tags: 'long' }, () => {
  let service: Service
  let token = ''
  let vector: Uint8Array

  /** Enrols a face and reads its vector from the store. */
  beforeAll(async () => {
    service = await startService({ env: KEY })
    const created = run('token', service.data, KEY, 'create', '--owner', NAME, '--new-owner')
    token = created.said.split('\n')[0]!
    const send = clientOf(service.edge, token)
    await expect(send('POST', '/v1/galleries/nightshift')).toAnswer(201)
    const photo = { bytes: await sample(1), name: PHOTO }
    const enrolled = await send(
      'POST',
      '/v1/face',
      form({ photo, meta: META, mf_selector: 'biggest', galleries: 'nightshift' }),
    )
    expect(enrolled).toMatchObject({ status: 200 })
    const { results } = enrolled.body
    const listed = await clientOf(service.core, undefined)(
      'GET',
      `/v1/${await galleryOf(service)}/get/${results[0].id}`,
    )
    vector = Buffer.from(listed.body.facen, 'base64')
  }, 120_000)

  afterAll(async () => {
    await service.stop()
    await service.remove()
  })

  it('finds a face with its pictures, and stores no plaintext', async () => {
    const send = clientOf(service.edge, token)
    const path = '/v1/faces/gallery/nightshift/identify'
    const { body } = await send('POST', path, form({ photo: await sample(1) }))
    const [[{ face }]] = Object.values(body.results) as [[{ face: Record<string, string> }]]
    expect(face.meta).toBe(META)
    for (const picture of [face.thumbnail!, face.normalized!]) await expect(fetch(picture)).toAnswer(200)
    expect(foundIn(service.data, { ...PLAINTEXT, vector })).toEqual([])
    const file = await temporaryPath('vectors.jsonl')
    expect(run('store', service.data, KEY, 'export', file)).toExit(0, 'not encrypted')
  })

  it.skipIf(process.platform !== 'linux')(
    'keeps its key out of the edge, the files, the arguments and the output',
    async () => {
      const edge = await descendantOf(service.pid, 'serve-edge.ts')
      const core = await descendantOf(service.pid, 'server.ts')
      expect(readFileSync(`/proc/${edge}/environ`, 'latin1')).not.toContain(KEY_TEXT)
      for (const pid of [edge, core])
        expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(KEY_TEXT)
      expect(service.output()).not.toContain(KEY_TEXT)
      expect(foundIn(service.data, { text: Buffer.from(KEY_TEXT), bytes: OPERATOR.bytes })).toEqual([])
    },
  )

  it('refuses commands without the key and with another key', () => {
    const missing = run('token', service.data, {}, 'list')
    expect(missing).toExit(1, `the key ${OPERATOR.id}`)
    const wrong = run('token', service.data, WRONG_KEY, 'list')
    expect(wrong).toExit(1, NEW_KEY.id)
    for (const { said } of [missing, wrong])
      expect(said).not.toMatch(new RegExp(`${KEY_TEXT}|${NEW_KEY_TEXT}`))
  })

  it('does not start without the key or with another key', async () => {
    await expect(startService({ data: service.data, env: WRONG_KEY })).rejects.toThrow(NEW_KEY.id)
    await expect(startCore(service.data).port).rejects.toThrow(`the key ${OPERATOR.id}`)
  })

  it('refuses a change of its keys while it runs', () => {
    const both = { ...KEY, MIEN_ENCRYPTION_NEW_KEY: NEW_KEY_TEXT }
    expect(run('encryption', service.data, both, 'rotate')).toExit(1, 'stopped first')
    expect(run('encryption', service.data, {}, 'status')).toExit(0, OPERATOR.id)
  })
})

/** The store gallery of the owner with a face. */
async function galleryOf({ core }: Service) {
  const { body } = await clientOf(core, undefined)('GET', '/stat/list/1/100')
  const names: string[] = JSON.stringify(body).match(/[0-9a-f]{24}_default/g) ?? []
  return names[0]!
}

describe('mien encryption', { tags: 'long' }, () => {
  it('refuses to convert a folder; a restore of its backup encrypts it, decrypts it and changes its key, with keys in files', async () => {
    const [data, folder] = [await temporaryFolder(), await temporaryFolder()]
    const [repository, encrypted, plain] = ['backups', 'encrypted', 'plain'].map(name => join(folder, name))
    const [file, newFile] = await Promise.all([KEY_TEXT, NEW_KEY_TEXT].map(keyFile))
    const env = { MIEN_ENCRYPTION_KEY_FILE: file! }
    await (await openWorld(data)).close()
    run('token', data, {}, 'create', '--owner', NAME, '--new-owner')
    expect(run('encryption', data, {}, 'status').said).toContain('not encrypted')
    expect(run('token', data, env, 'list')).toExit(1, 'restore the backup with MIEN_ENCRYPTION_NEW_KEY')
    for (const args of [['on'], ['off'], ['rotate', '--data-key']])
      expect(run('encryption', data, env, ...args).said, args.join(' ')).toMatch(
        /in place\. Back it up with --clips, and restore/,
      )
    expect(run('backup', data, {}, repository!)).toExit(0)
    expect(run('restore', encrypted!, { MIEN_ENCRYPTION_NEW_KEY_FILE: file! }, repository!)).toExit(0)
    const encryption = (...args: string[]) => run('encryption', encrypted!, env, ...args)
    expect(encryption('status').said).toContain('the right one')
    expect(foundIn(encrypted!, { owner: Buffer.from(NAME) })).toEqual([])
    expect(encryption('rotate')).toExit(2, 'NEW_KEY')
    const both = { ...env, MIEN_ENCRYPTION_NEW_KEY_FILE: newFile! }
    expect(run('encryption', encrypted!, both, 'rotate')).toExit(0, NEW_KEY.id)
    expect(run('token', encrypted!, WRONG_KEY, 'list').said).toContain(NAME)
    expect(run('backup', encrypted!, WRONG_KEY, repository!)).toExit(0)
    expect(run('restore', plain!, WRONG_KEY, repository!, '--decrypt')).toExit(0)
    expect(run('token', plain!, {}, 'list').said).toContain(NAME)
  }, 240_000)
})

async function keyFile(text: string) {
  const path = await temporaryPath('key')
  writeFileSync(path, `${text}\n`)
  chmodSync(path, 0o600)
  return path
}
