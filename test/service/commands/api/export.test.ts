/** `mien export` and the way back by `mien enrol`, as a person types them. */

import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { clientOf, form, sample } from '#test/support/client.ts'
import { CLIP } from '#test/support/operation-samples.ts'
import { ROOT } from '#test/support/root.ts'
import { newToken } from '#test/support/tokens.ts'
import { runMien } from '#test/support/typed.ts'
import { temporaryFolder, temporaryPath } from '#test/unit/core/folder.ts'
import { startEdge } from '../../edge/edge-process.ts'

const THREE_FACES = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo', 'sample1.jpg')

/** The environment of a new owner. */
const ownerNamed = (name: string) => ({
  MIEN_URL: inject('edge'),
  MIEN_TOKEN: newToken(inject('data'), name),
})

async function enrol({ MIEN_URL, MIEN_TOKEN }: ReturnType<typeof ownerNamed>) {
  const api = clientOf(MIEN_URL, MIEN_TOKEN)
  await api('POST', '/v1/galleries/staff')
  const fields = { meta: 'Ann "the first"', galleries: 'staff', mf_selector: 'all' }
  await expect(api('POST', '/v1/face', form({ photo: await sample(1), ...fields }))).toAnswer(200)
}

async function exportThree(folder: string, owner: ReturnType<typeof ownerNamed>) {
  expect(runMien(['export', folder, '--json'], owner)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('"faces": 3'),
  })
  expect((await readdir(folder)).sort()).toEqual(['faces.jsonl', 'list.jsonl', 'pictures'])
}

it('writes every face of the owner, also below an unreachable public URL, and mien enrol takes the folder back', {
  tags: 'long',
}, async () => {
  const [before, after] = [ownerNamed('export-before'), ownerNamed('export-after')]
  await enrol(before)
  const MIEN_URL = await startEdge(inject('data'), [inject('core')], { PUBLIC_URL: 'https://mien.invalid/a' })
  const folder = await temporaryPath('faces')
  await exportThree(folder, { ...before, MIEN_URL })
  if (process.platform !== 'win32') expect((await stat(join(folder, 'faces.jsonl'))).mode & 0o077).toBe(0)

  const back = ['enrol', join(folder, 'list.jsonl'), '--create-galleries']
  expect(runMien(back, after)).toExit(0)
  const identified = runMien(['identify', THREE_FACES, '--gallery', 'staff', '--selector', 'all'], after)
  expect(identified.stdout.match(/Ann "the first"/g)).toHaveLength(3)
})

it('exports the snapshot and the clip of an event beside its picture', {
  tags: 'long',
}, async () => {
  const owner = ownerNamed('export-footage')
  const api = clientOf(owner.MIEN_URL, owner.MIEN_TOKEN)
  const options = { snapshot: true, clip: true }
  const { id: cam_id } = (await api('POST', '/v1/camera', { options })).body
  const photo = await sample(4)
  const { results } = (await api('POST', '/v1/face', form({ photo, cam_id }))).body
  const { id } = results[0]
  for (const [kind, file] of Object.entries({ snapshot: photo, clip: CLIP }))
    await expect(api('PUT', `/v1/face/id/${id}/${kind}`, form({ [kind]: file }))).toAnswer(204)
  const folder = await temporaryPath('faces')
  expect(runMien(['export', folder], owner)).toExit(0)
  const pictures = join(folder, 'pictures')
  expect((await readdir(pictures)).sort()).toEqual([`${id}.clip.mp4`, `${id}.jpg`, `${id}.snapshot.jpg`])
  expect(Buffer.from(CLIP).equals(await readFile(join(pictures, `${id}.clip.mp4`)))).toBe(true)
  expect(await readFile(join(folder, 'faces.jsonl'), 'utf8')).not.toContain('signature=')
})

it('continues an interrupted export: keeps its pictures, except pictures of faces that were changed or deleted since', {
  tags: 'long',
}, async () => {
  const owner = ownerNamed('export-interrupted')
  await enrol(owner)
  const folder = await temporaryPath('faces')
  expect(runMien(['export', folder], owner)).toExit(0)
  const pictures = join(folder, 'pictures')
  const [kept, fetched, changed] = (await readdir(pictures)) as [string, string, string]
  // As the end of the process leaves it.
  const lines = await readFile(join(folder, 'faces.jsonl'), 'utf8')
  const id = `"id":${changed.split('.')[0]},`
  await writeFile(join(folder, 'faces.jsonl.part'), lines.replace(id, `${id}"age":1,`))
  await rm(join(folder, 'faces.jsonl'))
  await rename(join(folder, 'list.jsonl'), join(folder, 'list.jsonl.part'))
  await writeFile(join(pictures, kept), 'kept')
  await rename(join(pictures, fetched), join(pictures, `${fetched}.part`))
  await writeFile(join(pictures, changed), 'replaced')
  await writeFile(join(pictures, '1.jpg'), 'of a deleted face')

  await exportThree(folder, owner)
  expect(await readdir(pictures)).toHaveLength(3)
  expect(await readFile(join(pictures, kept), 'utf8')).toBe('kept')
  for (const name of [fetched, changed])
    expect((await readFile(join(pictures, name))).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
})

it('refuses a folder that is not empty, and writes nothing', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'notes.txt'), 'mine')
  expect(runMien(['export', folder], ownerNamed('export-refused'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is not empty'),
  })
  expect(await readdir(folder)).toEqual(['notes.txt'])
})
