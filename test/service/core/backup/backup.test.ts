/** Backups: complete and consistent with concurrent changes; damaged or foreign backups are refused. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { faceOf, OTHER_OWNER, OWNER } from '#bench/harness/sample-faces.ts'
import { readContents } from '#core/backup/contents.ts'
import { type BackupStep, backUp } from '#core/backup/folder-backup.ts'
import { restore } from '#core/backup/restore.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { deleteFace } from '#core/operations/delete-faces.ts'
import { createGallery } from '#core/operations/galleries.ts'
import { identify } from '#core/operations/identify.ts'
import { updateFace } from '#core/operations/update-face.ts'
import { LOCAL, recordLayout } from '#core/vector-store/sharding/layout.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { STEP_ROUNDS } from '#test/unit/core/kill-rounds.ts'
import { enrolOne, kept, keptOf, openWorld, type World } from '../operations/world.ts'

const EMBEDDER = 'colours-3'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})

const at = (name: string): string => join(folder, name)

/** Three faces of two owners, one of them in a named gallery. */
async function furnished() {
  const world = await openWorld()
  await createGallery(world, { owner: OWNER, gallery: 'staff' })
  await createGallery(world, { owner: OWNER, gallery: 'guests' })
  const red = await enrolOne(world, faceOf(250, 10, 10), { galleries: ['staff'], meta: 'red' })
  const green = await enrolOne(world, faceOf(10, 250, 10), { meta: 'green' })
  const blue = await enrolOne(world, faceOf(10, 10, 250), { owner: OTHER_OWNER })
  return { world, red, green, blue }
}

const backedUp = (world: World, onStep?: (step: BackupStep) => void | Promise<void>) =>
  backUp({ data: world.data, target: at('backup'), embedder: EMBEDDER, now: 0, ...(onStep && { onStep }) })

async function restored(): Promise<World> {
  await restore({ source: at('backup'), data: at('data'), embedder: EMBEDDER })
  const world = await openWorld(at('data'))
  await reconcile(world)
  return world
}

const whoIs = async (world: World, face = faceOf(250, 10, 10)) => {
  const request = { owner: OWNER, gallery: 'default', threshold: 0.9, limit: 9, faces: 1 }
  const { matches } = await identify(world, request, [face.chip.data])
  return matches[0]!.map(match => match.face.id)
}

describe('backUp', { tags: 'long' }, () => {
  it('stores every face with its vectors, pictures and galleries', async () => {
    const { world, red, green, blue } = await furnished()
    const { faces } = await backedUp(world)
    const again = await restored()
    expect(faces).toBe(3)
    expect(await kept(again)).toEqual(await kept(world))
    expect(await kept(again)).toEqual(
      keptOf({ id: red, galleries: ['staff'] }, { id: green }, { owner: OTHER_OWNER, id: blue }),
    )
    expect(await whoIs(again)).toEqual([red])
  })

  it.each(['metadata', 'vectors', 'pictures', 'checksums'] as const)(
    'omits a face that is deleted before its step "%s"',
    async moment => {
      const { world, red, green, blue } = await furnished()
      await backedUp(world, async step => {
        if (step === moment) await deleteFace(world, { owner: OWNER, id: red })
      })
      const again = await restored()
      expect(await kept(again)).toEqual(keptOf({ id: green }, { owner: OTHER_OWNER, id: blue }))
      expect(await whoIs(again)).toEqual([])
    },
  )

  it.each(['vectors', 'pictures', 'checksums'] as const)(
    'stores a face whole that changes its galleries before its step "%s"',
    async moment => {
      const { world, red, green, blue } = await furnished()
      await backedUp(world, async step => {
        const galleries = { kind: 'set', names: ['guests'] } as const
        if (step === moment)
          await updateFace(world, {
            owner: OWNER,
            id: red,
            galleries: { ...galleries, names: [...galleries.names] },
          })
      })
      const again = await restored()
      expect(await kept(again)).toEqual(
        keptOf({ id: red, galleries: ['staff'] }, { id: green }, { owner: OTHER_OWNER, id: blue }),
      )
    },
  )

  it('stores no part of a face that is enrolled after its first step', async () => {
    const { world } = await furnished()
    await backedUp(world, async step => {
      if (step !== 'rename' && step !== 'done') await enrolOne(world, faceOf(90, 90, 90), { meta: step })
    })
    const again = await restored()
    const { vectors, pictures } = await kept(again)
    expect(vectors.filter(key => key.includes('_default/'))).toHaveLength(4)
    expect(pictures).toHaveLength(8)
  })

  it('refuses an existing target', async () => {
    const { world } = await furnished()
    await mkdir(at('backup'))
    await expect(backedUp(world)).rejects.toMatchObject({ name: 'BackupRefused' })
  })

  it('refuses a folder whose vectors are partly in PostgreSQL', async () => {
    const { world } = await furnished()
    const layout = [
      { address: LOCAL, cells: '0-511' },
      { address: 'postgres://mien@127.0.0.1:1/faces', cells: '512-1023' },
    ]
    await recordLayout(join(world.data, 'vectors'), layout)
    await expect(backedUp(world)).rejects.toMatchObject({
      name: 'BackupRefused',
      message: expect.stringContaining('in PostgreSQL'),
    })
  })

  it(
    'leaves a complete backup or none when its process is killed, and can be repeated',
    async () => {
      const { world } = await furnished()
      for (const step of killedSteps('metadata', 'vectors', 'pictures', 'checksums', 'rename', 'done')) {
        await killedAt(step, 'backup', world.data, at('backup'))
        const isThere = (await readdir(folder)).includes('backup')
        expect(isThere, step).toBe(step === 'done')
        await rm(at('backup'), { recursive: true, force: true })
      }
      await backedUp(world)
      expect(await kept(await restored())).toEqual(await kept(world))
    },
    STEP_ROUNDS * 60_000,
  )
})

describe('restore', { tags: 'long' }, () => {
  it.each([
    { what: 'a file is missing', damage: () => rm(at('backup/metadata.db')) },
    { what: 'a file is added', damage: () => writeFile(at('backup/more'), 'x') },
    { what: 'a file is longer', damage: () => appendFile(at('backup/secrets.json'), '\n') },
    { what: 'backup.json is missing', damage: () => rm(at('backup/backup.json')) },
    {
      what: 'backup.json is truncated',
      damage: () => writeFile(at('backup/backup.json'), '{"format":"mien-b'),
    },
    { what: 'its embedder is another one', damage: () => rename('colours-4') },
    { what: 'its folder does not exist', damage: () => rm(at('backup'), { recursive: true }) },
  ])('refuses a backup when $what, and creates nothing', async ({ damage }) => {
    await backedUpWithSecrets()
    await damage()
    await expect(
      restore({ source: at('backup'), data: at('data'), embedder: EMBEDDER }),
    ).rejects.toMatchObject({
      name: 'BackupRefused',
    })
    expect(await readdir(folder)).not.toContain('data')
  })

  it(
    'creates the whole data folder or none when its process is killed, and can be repeated',
    async () => {
      const expected = await kept(await backedUpWithSecrets())
      for (const step of killedSteps('checksums', 'copy', 'rename', 'done')) {
        await killedAt(step, 'restore', at('data'), at('backup'))
        const isThere = (await readdir(folder)).includes('data')
        expect(isThere, step).toBe(step === 'done')
        const whole = isThere ? await openWorld(at('data')) : await restored()
        expect(await kept(whole), step).toEqual(expected)
        await whole.close()
        await rm(at('data'), { recursive: true })
      }
    },
    STEP_ROUNDS * 60_000,
  )

  it('detects every changed byte', async () => {
    await backedUpWithSecrets()
    const { files } = await readContents(at('backup'))
    for (const [i, { path, bytes }] of files.entries()) {
      const whole = await readFile(at(`backup/${path}`))
      const damaged = Buffer.from(whole)
      damaged[(i * 7919) % bytes]! ^= 1 << (i % 8)
      await writeFile(at(`backup/${path}`), damaged)
      await expect(
        restore({ source: at('backup'), data: at('data'), embedder: EMBEDDER }),
        path,
      ).rejects.toMatchObject({ name: 'BackupRefused' })
      await writeFile(at(`backup/${path}`), whole)
    }
    expect(files.length).toBeGreaterThan(8)
  })

  it('does not change an existing data folder', async () => {
    await backedUpWithSecrets()
    await mkdir(at('data'))
    await writeFile(at('data/mine'), 'x')
    await expect(
      restore({ source: at('backup'), data: at('data'), embedder: EMBEDDER }),
    ).rejects.toMatchObject({
      name: 'BackupRefused',
    })
    expect(await readdir(at('data'))).toEqual(['mine'])
  })
})

/** Each step, repeated for the number of rounds that MIEN_KILL_ROUNDS sets. */
const killedSteps = (...steps: string[]): string[] => steps.flatMap(step => Array(STEP_ROUNDS).fill(step))

/** Runs a backup or a restore in a process that is killed before the step. */
async function killedAt(step: string, work: 'backup' | 'restore', data: string, backup: string) {
  const script = join(import.meta.dirname, 'crash.child.ts')
  const child = spawn(process.execPath, [script, work, data, backup, step], { stdio: 'ignore' })
  expect(await once(child, 'exit'), step).toEqual([null, 'SIGKILL'])
}

async function backedUpWithSecrets(): Promise<World> {
  const { world } = await furnished()
  await writeFile(join(world.data, 'secrets.json'), '{"edge":"..."}')
  await backedUp(world)
  return world
}

async function rename(embedder: string): Promise<void> {
  const contents = await readContents(at('backup'))
  await writeFile(at('backup/backup.json'), JSON.stringify({ ...contents, embedder }))
}
