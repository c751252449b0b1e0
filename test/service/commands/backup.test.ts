/** `mien backup` with a repository: on a stopped service and beside a running one, drills and restores. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openDataKey } from '#core/encryption/folder-key.ts'
import type { OperatorKey } from '#core/encryption/key-file.ts'
import { clientOf, form, sample } from '#test/support/client.ts'
import { faceOf } from '#test/support/sample-faces.ts'
import { runMien } from '#test/support/typed.ts'
import { KEY_TEXT, OPERATOR } from '../../unit/core/backup/keys.ts'
import { temporaryFolder, temporaryPath } from '../../unit/core/folder.ts'
import { enrolOne, openWorld } from '../core/operations/world.ts'

let folder = ''
let repository = ''
beforeEach(async () => {
  folder = await temporaryFolder()
  repository = join(folder, 'backups')
})

/** A data folder with two faces, in which no service runs. It is encrypted if a key is given. */
async function atRest(operatorKey?: OperatorKey) {
  const data = await temporaryFolder()
  const world = await openWorld(data, await openDataKey(data, operatorKey))
  await enrolOne(world, faceOf(250, 10, 10))
  await enrolOne(world, faceOf(10, 250, 10))
  await world.close()
  return data
}

const mien = (data: string, ...args: string[]) => runMien([...args, '--data', data])

const statusOf = (data: string) => JSON.parse(runMien(['status', '--json', '--data', data]).stdout)

describe('mien backup --to', { tags: 'long' }, () => {
  it('adds to a repository, and lists and restores its backups', async () => {
    const data = await atRest()
    expect(mien(data, 'backup', '--to', repository)).toExit(0, ': 2 faces, ')
    const [first] = JSON.parse(runMien(['backup', 'list', repository, '--json', '--data', data]).stdout)
    const world = await openWorld(data)
    await enrolOne(world, faceOf(10, 10, 250))
    await world.close()
    expect(mien(data, 'backup', repository).status).toBe(0)
    const listed = JSON.parse(runMien(['backup', 'list', repository, '--json', '--data', data]).stdout)
    expect(listed).toEqual([
      first,
      { ...first, made: expect.any(String), faces: 3, bytes: expect.any(Number), added: expect.any(Number) },
    ])
    const [old, again] = [join(folder, 'old'), join(folder, 'again')]
    expect(mien(old, 'restore', repository, '--at', first.made).said).toContain('2 faces of')
    expect(mien(again, 'restore', repository).said).toContain('3 faces of')
    expect(mien(again, 'store', 'verify')).toExit(0, 'All is well.')
  })

  it('lists the other backups beside a damaged one, and names it', async () => {
    const data = await atRest()
    for (let count = 0; count < 2; count++) expect(mien(data, 'backup', repository).status).toBe(0)
    const [damaged, whole] = await readdir(join(repository, 'backups'))
    await writeFile(join(repository, 'backups', damaged!), '{')
    const said = expect.stringContaining(`${damaged} is damaged`)
    const rest = mien(data, 'backup', 'list', repository, '--json')
    expect(rest).toMatchObject({ status: 1, said })
    const listed = JSON.parse(rest.stdout).map(({ made }: { made: string }) => made)
    expect(listed).toEqual([expect.stringContaining(whole!.slice(0, 10))])
    expect(mien(data, 'backup', repository)).toMatchObject({ status: 0, said })
  })

  it('backs a running service up, and drills; status and metrics tell', async () => {
    const data = inject('data')
    const api = clientOf(inject('edge'), inject('token'))
    await expect(api('POST', '/v0/face', form({ photo: await sample(1), meta: 'x' }))).toAnswer(200)
    expect(mien(data, 'backup', '--to', repository).status).toBe(0)
    expect(mien(data, 'backup', 'drill', repository)).toMatchObject({
      status: 0,
      said: expect.stringMatching(/\d+ of the \d+ faces? in .* (is|are) in it, .* were compared: no fault\./),
    })
    expect(await readdir(data)).not.toContain('drill')
    const { last_backup, last_drill } = statusOf(data)
    expect(Date.parse(last_drill)).toBeGreaterThanOrEqual(Date.parse(last_backup))
    const metrics = await (await fetch(`${inject('core')}/metrics`)).text()
    const [, time] = /\nmien_backup_last_success_timestamp_seconds (\S+)/.exec(metrics) ?? []
    expect(new Date(Number(time) * 1000).toISOString().slice(0, 19)).toBe(last_backup.slice(0, 19))
    expect(metrics).toMatch(/\nmien_backup_drill_last_success_timestamp_seconds \d/)
  })

  it('restores an encrypted folder, and repeats the deletions of its log', async () => {
    const data = await atRest(OPERATOR)
    const run = (...args: string[]) => {
      const { status, stdout } = runMien(args, { MIEN_ENCRYPTION_KEY: KEY_TEXT })
      expect(status).toBe(0)
      return stdout
    }
    run('backup', '--to', repository, '--data', data)
    run('owner', 'delete', 'first', '--yes', '--data', data)
    const log = join(folder, 'audit.jsonl')
    run('audit', 'export', log, '--data', data)
    const restored = async (...options: string[]) =>
      run('restore', repository, ...options, '--data', await temporaryPath('data'))
    expect(await restored('--deletions', log)).toContain(' 1 owner are deleted')
    expect(await restored()).toContain(' 0 owners are deleted')
    expect(await restored('--deletions', 'none')).toContain('Data deleted after that is back.')
  })

  it('reports a failed backup, and keeps the earlier one', async () => {
    const data = await atRest()
    expect(mien(data, 'backup', '--to', repository).status).toBe(0)
    const mark = await readFile(join(repository, 'repository.json'))
    await writeFile(join(repository, 'repository.json'), '{')
    expect(mien(data, 'backup', '--to', repository)).toExit(1, 'is damaged')
    const { last_backup, last_backup_failure } = statusOf(data)
    expect(Date.parse(last_backup_failure)).toBeGreaterThan(Date.parse(last_backup))
    expect(mien(data, 'status').said).toMatch(/backup {2}\S+ \S+ UTC, today; failed /)
    await writeFile(join(repository, 'repository.json'), mark)
    expect(mien(join(folder, 'again'), 'restore', repository).said).toContain('2 faces of')
  })

  it('refuses an address of no bucket, and reports no failed backup', async () => {
    const data = await atRest()
    expect(mien(data, 'backup', '--to', 's3://x')).toExit(1, 's3://x is no address of a bucket')
    expect(statusOf(data).last_backup_failure).toBeNull()
  })

  it('reports a drill that compares nothing as a failure', async () => {
    const data = await temporaryFolder()
    await (await openWorld(data)).close()
    expect(mien(data, 'backup', '--to', repository).status).toBe(0)
    expect(mien(data, 'backup', 'drill', repository)).toExit(
      1,
      'Nothing was compared, so the drill has not succeeded',
    )
    expect(statusOf(data).last_drill).toBeNull()
  })

  it.each([
    { args: ['backup'], says: 'mien backup takes a REPOSITORY' },
    { args: ['backup', '/y', '--to', '/z'], says: 'mien backup takes a REPOSITORY' },
    { args: ['store', 'backup', '/y'], says: 'mien store backup is removed: mien backup REPOSITORY' },
    { args: ['backup', '--to', '/y', '--keep', '1y'], says: '--keep takes a rule such as 24h,7d,4w' },
  ])('refuses $args as a usage error', async ({ args, says }) => {
    expect(mien(folder, ...args)).toExit(2, says)
  })
})
