/** Drills: a whole backup passes, and what differs from the live data is found. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DRILL_FOLDER, removeUnlocked } from '#core/backup/leftovers.ts'
import { createRepository, type Repository } from '#core/backup/repository/repository.ts'
import { openDataKey } from '#core/encryption/folder-key.ts'
import { faces } from '#core/metadata/schema.ts'
import { pathOf } from '#core/pictures/pictures.ts'
import { faceOf, OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { OPERATOR } from '#test/unit/core/backup/keys.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'
import { waitForIndex } from '#test/unit/core/vector-store/known.ts'
import { openRoutes } from '../../http/asked.ts'
import { enrolOne, openWorld } from '../../operations/world.ts'
import { snapshotsOf } from '../../snapshots.ts'
import { backedUp, openFilled, runDrill } from './backups.ts'

/** Two hours: faces that are older than the backup by an hour must be in it. */
const LATER_MS = 7_200_000

let repository: Repository
beforeEach(async () => {
  repository = await createRepository(await temporaryPath('backups'), undefined)
})

const later = () => ({ now: Date.now() + LATER_MS })
const until = () => ({ at: Date.now() + LATER_MS })

describe('drill', () => {
  it('passes for a whole backup after a deletion, and leaves nothing', { tags: 'long' }, async () => {
    const { world, red } = await openFilled()
    await backedUp(world, repository, later())
    await (await openRoutes(world)).ask('face.delete', { owner: OWNER, by: TOKEN, id: red })
    const folder = await temporaryPath('drill')
    const { faults, compared } = await runDrill(world, repository, { folder, ...until() })
    expect(faults).toEqual([])
    expect(compared).toMatchObject({ live: 2, faces: 2, vectors: 2, pictures: 2 })
    expect(await readdir(join(folder, '..'))).toEqual([])
  })

  it('ends at a signal, and leaves nothing', async () => {
    const { world } = await openFilled()
    await backedUp(world, repository)
    for (const moment of ['files', 'verify']) {
      const folder = await temporaryPath('drill')
      const stop = new AbortController()
      const onStep = (step: string) => step === moment && stop.abort(new Error('stopped'))
      await expect(runDrill(world, repository, { folder, signal: stop.signal, onStep })).rejects.toThrow(
        'stopped',
      )
      expect(await readdir(join(folder, '..'))).toEqual([])
    }
  })

  it('is removed by a start when it was killed, but not while it runs', async () => {
    const { world } = await openFilled()
    await backedUp(world, repository)
    const copies = await snapshotsOf(world.data, ['verify'])
    const folder = join(world.data, DRILL_FOLDER)
    const removals: Promise<boolean>[] = []
    const onStep = (step: string) => {
      copies.at(step)
      removals.push(removeUnlocked(folder))
    }
    expect((await runDrill(world, repository, { folder, onStep })).faults).toEqual([])
    expect(new Set(await Promise.all(removals))).toEqual(new Set([false]))
    const started = copies.of('verify')
    await openWorld(started)
    expect(await readdir(started)).not.toContain(DRILL_FOLDER)
  })

  it('compares the faces of a young backup, and counts those that came after it', {
    tags: 'long',
  }, async () => {
    const { world } = await openFilled()
    await backedUp(world, repository)
    await enrolOne(world, faceOf(90, 90, 90))
    const { faults, compared } = await runDrill(world, repository)
    expect(faults).toEqual([])
    expect(compared).toMatchObject({ live: 4, faces: 3, vectors: 4, pictures: 2 })
  })

  it('passes for an encrypted folder, and for a gallery with an index, although backups hold no index', async () => {
    const data = await temporaryFolder()
    const dataKey = (await openDataKey(data, OPERATOR))!
    const { world } = await openFilled(data, dataKey)
    for (const { gallery } of await world.vectors.galleries()) {
      await world.vectors.startIndex(gallery)
      expect(await waitForIndex(world.vectors, gallery)).toBe('ready')
    }
    await backedUp(world, repository, { ...later(), dataKey })
    const { faults, compared } = await runDrill(world, repository, {
      ...until(),
      dataKey,
      operatorKey: OPERATOR,
    })
    expect(faults).toEqual([])
    expect(compared).toMatchObject({ faces: 3, vectors: 4, pictures: 2 })
  })

  it('finds a picture and a vector that are not the live ones', async () => {
    const { world, red } = await openFilled()
    await backedUp(world, repository, later())
    await writeFile(join(world.data, 'pictures', pathOf({ owner: OWNER, id: red, kind: 'thumbnail' })), 'x')
    const { faults } = await runDrill(world, repository, until())
    expect(faults).toEqual([`The thumbnail picture of face ${red} is not the live one.`])
  })

  it('finds a backup whose metadata lacks faces', async () => {
    const { world, blue } = await openFilled()
    const [row] = (await world.database.select().from(faces)).filter(({ id }) => id === blue)
    await backedUp(world, repository, later())
    await world.database.insert(faces).values({ ...row!, id: 7, owner: OTHER_OWNER, pictured: false })
    const { faults } = await runDrill(world, repository, until())
    expect(faults).toEqual(['1 live faces are not in the restored folder, first 7.'])
  })

  it('refuses a disk without room beside the service', async () => {
    const { world } = await openFilled()
    const { record } = await backedUp(world, repository)
    await repository.writeRecord({ ...record, bytes: Number.MAX_SAFE_INTEGER })
    await expect(runDrill(world, repository)).rejects.toThrow(
      /^A drill needs \d+ MB in .* Name another folder with --in/,
    )
  })
})
