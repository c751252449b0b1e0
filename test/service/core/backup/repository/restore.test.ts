/** Restores from a repository: any backup, without later deletions, all or nothing. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRepository, type Repository } from '#core/backup/repository/repository.ts'
import { restoreFrom } from '#core/backup/repository/restore.ts'
import { restore } from '#core/backup/restore.ts'
import { openDataKey } from '#core/encryption/folder-key.ts'
import { readKeyFile } from '#core/encryption/key-file.ts'
import { insertSession, insertUser, usersOf } from '#core/metadata/access/users.ts'
import { exportAudit } from '#core/metadata/audit-log/file.ts'
import { faceOf, OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { OPERATOR } from '#test/unit/core/backup/keys.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'
import { openRoutes } from '../../http/asked.ts'
import { enrolOne, expectKept, keysOf, openWorld, type World } from '../../operations/world.ts'
import { makeWholeBackup } from '../whole-backup.ts'
import { backedUp, openFilled, piecesIn, reopen } from './backups.ts'

let folder = ''
let repository: Repository
let world: World
let ids: { red: number; green: number; blue: number }
beforeEach(async () => {
  folder = await temporaryPath('backups')
  repository = await createRepository(folder, undefined)
  const { world: opened, ...faces } = await openFilled()
  world = opened
  ids = faces
})

/** Calls core as the edge does, which writes the audit log. */
const deleted = async (id: number) => {
  await (await openRoutes(world)).ask('face.delete', { owner: OWNER, by: TOKEN, id })
}

describe('restoreFrom', () => {
  it('refuses a log that the newest backup continues, unless this backup is damaged', {
    tags: 'long',
  }, async () => {
    const { red, green, blue } = ids
    const at = Date.parse((await backedUp(world, repository)).record.made)
    const deletions = { path: await temporaryPath('audit.jsonl'), dataKey: undefined }
    await deleted(green)
    await exportAudit(world.database, deletions.path)
    await deleted(red)
    const { record } = await backedUp(world, repository)
    const refused = reopen(repository, { at, deletions })
    await expect(refused).rejects.toMatchObject({ name: 'AuditLogRefused' })
    await expect(refused).rejects.toThrow(
      /and the log of the newest backup with entry \d+\. Give a later log, or leave/,
    )
    await expectKept(await reopen(repository, { at }), { owner: OTHER_OWNER, id: blue })
    await writeFile(join(folder, 'backups', `${record.made.replaceAll(':', '-')}.json`), '{')
    await expectKept(
      await reopen(repository, { at, deletions }),
      { id: red, galleries: ['staff'] },
      { owner: OTHER_OWNER, id: blue },
    )
  })

  it('takes a backup that is later than the clock only by its time, and repeats later deletions', async () => {
    const { red, green, blue } = ids
    const at = Date.now() + 86_400_000
    await backedUp(world, repository, { now: at })
    await deleted(green)
    await enrolOne(world, faceOf(90, 90, 90))
    await backedUp(world, repository)
    expect(await keysOf(await reopen(repository))).toEqual(await keysOf(world))
    await expectKept(
      await reopen(repository, { at }),
      { id: red, galleries: ['staff'] },
      { owner: OTHER_OWNER, id: blue },
    )
  })

  it('backs a restored folder up to the same repository, and restores earlier backups by its log', {
    tags: 'long',
  }, async () => {
    const first = (await backedUp(world, repository)).record
    await deleted(ids.green)
    await backedUp(world, repository)
    const again = await reopen(repository)
    await backedUp(again, repository)
    const old = await reopen(repository, { at: Date.parse(first.made) })
    expect((await keysOf(old)).vectors).toEqual((await keysOf(again)).vectors)
  })

  const NO_LINK = { link: null, linkExpires: null, linkOpens: false }

  it('ends the links of the backup and sessions with a role of a provider, as the restore of a whole backup does', async () => {
    const link = { link: 'a'.repeat(64), linkExpires: Date.now() * 2000, linkOpens: true }
    await insertUser(world.database, {
      id: '0123456789ab',
      owner: OWNER,
      name: 'Ann',
      role: 'look',
      created: 0,
      ...link,
    })
    for (const [id, subject] of [
      ['aaaaaaaaaaaa', null],
      ['bbbbbbbbbbbb', 'issuer 1'],
    ] as const) {
      const user = {
        id,
        owner: OWNER,
        name: id,
        role: 'administer',
        created: 0,
        subject,
        ...NO_LINK,
      } as const
      await insertUser(world.database, user)
      await insertSession(world.database, user, { id, hash: id, created: 0, expires: 9e15 }, 2)
    }
    await backedUp(world, repository)
    const [target, data] = [join(folder, '..', 'whole'), join(folder, '..', 'data')]
    await makeWholeBackup(world.data, target)
    await restore({ source: target, data })
    for (const { database } of [await reopen(repository), await openWorld(data)])
      expect(await usersOf(database, OWNER, 0)).toMatchObject([
        { name: 'Ann', ...NO_LINK, sessions: [] },
        { sessions: [{ id: 'aaaaaaaaaaaa' }] },
        { sessions: [] },
      ])
  })

  it('refuses a backup with any piece missing, cut or empty, names both, and creates nothing', async () => {
    const { record } = await backedUp(world, repository)
    const damages = [
      (path: string) => rm(path),
      async (path: string) => writeFile(path, (await readFile(path)).subarray(1)),
      (path: string) => writeFile(path, ''),
    ]
    for (const [i, path] of (await piecesIn(folder)).entries()) {
      const whole = await readFile(path)
      await damages[i % 3]!(path)
      const data = await temporaryPath('data')
      await expect(restoreFrom({ repository, data, operatorKey: undefined })).rejects.toThrow(
        new RegExp(
          `^The backup of ${record.made} in .* is damaged: pieces/../${path.slice(-64)} is (missing|damaged)`,
        ),
      )
      expect(await readdir(join(data, '..'))).toEqual([])
      await writeFile(path, whole)
    }
  })

  it('refuses a plain backup when there is a key, however its record looks', { tags: 'long' }, async () => {
    const { record } = await backedUp(world, repository)
    const refused = () => expect(reopen(repository, { operatorKey: OPERATOR })).rejects
    await refused().toThrow('is not encrypted, and a key was given')
    const data = await temporaryFolder()
    await openDataKey(data, OPERATOR)
    const { to: _, ...keyless } = (await readKeyFile(data))!
    for (const encryption of [keyless, { ...keyless, converting: true }]) {
      await repository.writeRecord({ ...record, encryption })
      await refused().toMatchObject({ name: 'BackupRefused', message: expect.stringContaining('is forged') })
    }
    await repository.writeRecord(record)
    await expect(reopen(repository)).resolves.toBeDefined()
  })

  it('refuses a used folder, a time before the first backup, a changed record and a small disk', async () => {
    await expect(reopen(repository)).rejects.toThrow('There is no backup in')
    const { record } = await backedUp(world, repository)
    await expect(reopen(repository, { data: world.data })).rejects.toThrow('is not empty')
    await expect(reopen(repository, { at: 0 })).rejects.toThrow(`is of ${record.made}: there is none before`)
    await repository.writeRecord({ ...record, bytes: Number.MAX_SAFE_INTEGER })
    await expect(reopen(repository)).rejects.toThrow(/^The backup needs \d+ MB, and the disk of/)
    await repository.writeRecord({ ...record, made: '2030-01-01T00:00:00.000Z' })
    await expect(reopen(repository, { at: Date.UTC(2031, 0) })).rejects.toThrow('was changed: its list is of')
  })
})
