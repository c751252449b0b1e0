/** Backups in a repository: incremental, consistent with concurrent changes, encrypted, kept by their rule. */
import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRepository, findRepository, type Repository } from '#core/backup/repository/repository.ts'
import { findDataKey, openDataKey } from '#core/encryption/folder-key.ts'
import { servedShards } from '#core/vector-store/generation.ts'
import { faceOf, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { foundIn, NEW_KEY, OPERATOR } from '#test/unit/core/backup/keys.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'
import { mayMount, smallDisk } from '#test/unit/core/full-disk.ts'
import { deleteFace, enrolOne, expectKept, keptOf, keysOf, updateFace } from '../../operations/world.ts'
import { backedUp, killedIn, openFilled, piecesIn, reopen, runDrill } from './backups.ts'

const HOUR_MS = 3_600_000

/** SQL of a process that closes a database, and finds no lock of another process. */
const ENDS_JOURNAL = `
import Libsql from 'libsql'
new Libsql(process.argv[1]).exec('PRAGMA journal_mode = DELETE')`

let folder = ''
let repository: Repository
beforeEach(async () => {
  folder = await temporaryPath('backups')
  repository = await createRepository(folder, undefined)
})

describe('backUpTo', () => {
  it('refuses a repository of another data folder, and takes a folder that was restored from it', {
    tags: 'long',
  }, async () => {
    const [{ world: first }, { world: other }] = [await openFilled(), await openFilled()]
    const { record } = await backedUp(first, repository)
    await expect(backedUp(other, repository)).rejects.toThrow('holds backups of another data folder')
    expect((await repository.inventory()).backups).toEqual([record.made])
    const { record: next } = await backedUp(await reopen(repository), repository)
    expect((await repository.inventory()).backups).toEqual([record.made, next.made])
  })

  it('adds only its list when nothing was changed, and does not read the pictures again', async () => {
    const { world } = await openFilled()
    const { pictures } = world
    const read: number[] = []
    const counting: Pick<typeof pictures, 'readStored'> = {
      readStored(picture) {
        read.push(picture.id)
        return pictures.readStored(picture)
      },
    }
    await backedUp(world, repository, { pictures: counting })
    expect(read).toHaveLength(6)
    const before = new Set(await piecesIn(folder))
    await backedUp(world, repository, { pictures: counting })
    expect(read).toHaveLength(6)
    expect((await piecesIn(folder)).filter(path => !before.has(path))).toHaveLength(1)
  })

  it.each(['vectors', 'pictures', 'changes'] as const)(
    'omits what is deleted and enrolled before its step "%s", and stores a changed face whole, without a log of deletions',
    { tags: 'long' },
    async moment => {
      const { world, red, green, blue } = await openFilled()
      await backedUp(world, repository, {
        async onStep(step) {
          if (step !== moment) return
          await deleteFace(world, green)
          await updateFace(world, red, { galleries: { kind: 'set', names: ['guests'] } })
          await enrolOne(world, faceOf(90, 90, 90))
        },
      })
      const again = await reopen(repository, { deletions: null })
      await expectKept(again, { id: red, galleries: ['staff'] }, { owner: OTHER_OWNER, id: blue })
    },
  )

  it('leaves the locks of other connections of its process: they keep the journal', async () => {
    const { world } = await openFilled()
    await backedUp(world, repository)
    await runDrill(world, repository)
    await findDataKey(world.data, undefined)
    const [shard] = await servedShards(join(world.data, 'vectors'))
    for (const file of ['metadata.db', join('vectors', shard!, 'rows.db')]) {
      const args = ['--input-type=module', '-e', ENDS_JOURNAL, join(world.data, file)]
      const child = spawnSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' })
      expect(child.stderr).toContain('database is locked')
    }
  })

  it('keeps the backups of the rule, and removes the pieces of the others', async () => {
    const { world, red } = await openFilled()
    const start = Date.UTC(2027, 0, 1, 12)
    await backedUp(world, repository, { now: start })
    const oldest = new Set(await piecesIn(folder))
    await deleteFace(world, red)
    for (const days of [40, 41, 42]) await backedUp(world, repository, { now: start + days * 24 * HOUR_MS })
    const { backups, pieces } = await repository.inventory()
    expect(backups).toEqual([
      '2027-02-10T12:00:00.000Z',
      '2027-02-11T12:00:00.000Z',
      '2027-02-12T12:00:00.000Z',
    ])
    const records = await Promise.all(backups.map(repository.readRecord))
    expect([...pieces].sort()).toEqual([...new Set(records.flatMap(record => record.pieces))].sort())
    expect((await piecesIn(folder)).some(path => !oldest.has(path))).toBe(true)
    expect([...oldest].some(path => !pieces.has(path.slice(-64)))).toBe(true)
  })

  it('removes nothing while a backup is later than the clock', async () => {
    const { world } = await openFilled()
    const start = Date.UTC(2027, 0, 1)
    for (const days of [0, 100, 101, 102, 5000])
      await backedUp(world, repository, {
        now: start + days * 24 * HOUR_MS,
        ...(days === 5000 && { keep: [] }),
      })
    const before = (await repository.inventory()).backups
    const { pruned } = await backedUp(world, repository, { now: start + 103 * 24 * HOUR_MS })
    expect(pruned.future).toEqual([new Date(start + 5000 * 24 * HOUR_MS).toISOString()])
    expect((await repository.inventory()).backups).toHaveLength(before.length + 1)
  })

  it('removes nothing while a record is damaged, and names its file', async () => {
    const { world } = await openFilled()
    const backUpOn = (day: number) => backedUp(world, repository, { now: Date.UTC(2027, 0, day) })
    for (const day of [1, 101, 102]) await backUpOn(day)
    const before = await repository.inventory()
    const damaged = join(folder, 'backups', '2027-01-01T00-00-00.000Z.json')
    for (const [content, what] of [
      ['{', 'damaged'],
      [await readFile(damaged.replace('01-01', '04-11')), 'the record of another backup'],
    ] as const) {
      await writeFile(damaged, content)
      const { pruned } = await backUpOn(103)
      expect(pruned).toEqual({ backups: 0, pieces: 0, future: [], damaged: [`${damaged} is ${what}.`] })
    }
    const { pieces } = await repository.inventory()
    expect([...before.pieces].filter(piece => !pieces.has(piece))).toEqual([])
    await rm(damaged)
    expect((await backUpOn(104)).pruned.pieces).toBeGreaterThan(0)
  })

  it('refuses a second backup at the same time, and leaves no lock', async () => {
    const { world } = await openFilled()
    await backedUp(world, repository, {
      async onStep(step) {
        if (step !== 'pictures') return
        await expect(backedUp(world, await findRepository(folder, undefined))).rejects.toThrow(
          /^Another backup to .* runs on .* its lock ends at/,
        )
      },
    })
    expect((await repository.inventory()).locks).toEqual([])
    await backedUp(world, repository)
  })

  it('takes over from a process whose lock has ended, or has an impossible end, and removes its unfinished files', async () => {
    const { world } = await openFilled()
    await mkdir(join(folder, 'locks'))
    for (const until of [Date.now() - 1, Date.now() + 86_400_000])
      await writeFile(
        join(folder, `locks/${until}.json`),
        JSON.stringify({ host: 'a', until: new Date(until).toISOString() }),
      )
    await writeFile(join(folder, 'locks/damaged.json'), '{')
    await writeFile(join(folder, '.writing/draft'), 'half of a piece')
    await backedUp(world, repository)
    for (const left of ['locks', '.writing']) expect(await readdir(join(folder, left)), left).toEqual([])
  })

  it('leaves the earlier backup whole when it is killed, and can be repeated', { tags: 'long' }, async () => {
    const { world, red, green, blue } = await openFilled()
    const first = keptOf({ id: red, galleries: ['staff'] }, { id: green }, { owner: OTHER_OWNER, id: blue })
    await backedUp(world, repository)
    await enrolOne(world, faceOf(90, 90, 90))
    await killedIn('back up to a repository', world.data, 'record', folder)
    await rm(join(folder, 'locks'), { recursive: true })
    expect(await keysOf(await reopen(repository))).toEqual(first)
    await backedUp(world, repository)
    expect((await repository.inventory()).backups).toHaveLength(2)
    expect(await keysOf(await reopen(repository))).toEqual(await keysOf(world))
    expect(await readdir(join(folder, '.writing'))).toEqual([])
  })

  it.skipIf(!mayMount())(
    'is refused by a full disk, which keeps the earlier backup',
    {
      tags: ['long', 'mount'],
    },
    async () => {
      const { world } = await openFilled()
      const expected = await keysOf(world)
      const disk = smallDisk(4)
      const repository = await createRepository(join(disk.folder, 'backups'), undefined)
      await backedUp(world, repository)
      for (let face = 0; face < 10; face++) await enrolOne(world, faceOf(face, 2, 3))
      disk.fill('others', 8_192)
      await expect(backedUp(world, repository)).rejects.toThrow(/^The disk of .* is full\.$/)
      expect(await keysOf(await reopen(repository))).toEqual(expected)
      disk.remove('others')
      // The lock could not be renewed or removed in every case.
      await repository.place.remove((await repository.inventory()).locks)
      await backedUp(world, repository)
      expect(await keysOf(await reopen(repository))).toEqual(await keysOf(world))
    },
  )
})

const CLEAR = {
  meta: Buffer.from('meta of Jane'),
  png: Buffer.from('IHDR'),
  sqlite: Buffer.from('SQLite format 3'),
}

async function encrypted() {
  const data = await temporaryFolder()
  const dataKey = (await openDataKey(data, OPERATOR))!
  return { ...(await openFilled(data, dataKey)), dataKey }
}

it('a backup of an encrypted folder contains nothing in plain text, and needs the key of the operator', {
  tags: 'long',
}, async () => {
  const { world, red, dataKey } = await encrypted()
  await backedUp(world, repository, { dataKey })
  expect(foundIn(folder, CLEAR)).toEqual([])
  await expect(reopen(repository)).rejects.toThrow(
    /^The backup of .* is encrypted with the key .* Give it in/,
  )
  await expect(reopen(repository, { operatorKey: NEW_KEY })).rejects.toThrow('the key that was given is')
  const again = await reopen(repository, { operatorKey: OPERATOR })
  expect(await keysOf(again)).toEqual(await keysOf(world))
  const bytes = await again.pictures.read({ owner: OWNER, id: red }, 'normalized')
  expect(bytes).toEqual(await world.pictures.read({ owner: OWNER, id: red }, 'normalized'))
})

describe('a repository', () => {
  it('refuses a folder with other files', async () => {
    const other = await temporaryFolder()
    await writeFile(join(other, 'mine'), 'x')
    await expect(createRepository(other, undefined)).rejects.toThrow('holds other files')
    expect(await readFile(join(other, 'mine'), 'utf8')).toBe('x')
  })

  it('is not found in a folder without its mark, and refused in a later version', async () => {
    await expect(findRepository(await temporaryFolder(), undefined)).rejects.toThrow(
      'is no repository of backups',
    )
    await writeFile(join(folder, 'repository.json'), '{"format":"mien-backups","version":2}')
    await expect(findRepository(folder, undefined)).rejects.toThrow('later version')
  })
})
