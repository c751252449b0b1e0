/** A data folder from before MobileFaceNet: it starts with its pack, prints how to convert, and finds its faces after the conversion. */
import { spawnSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { clientOf, form, sample } from '#bench/harness/client.ts'
import { type Service, startService } from '#bench/harness/service.ts'
import { CHOICE } from '#models/packs.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

const MIEN = join(import.meta.dirname, '..', '..', '..', '..', 'commands', 'mien.js')
const HINT = 'mien models reembed standard'

it('a data folder without a chosen pack keeps dlib until it is converted with models reembed', {
  tags: 'long',
  timeout: 400_000,
}, async () => {
  const data = await temporaryFolder()
  const photo = await sample(1)
  const opened = async (env: Record<string, string> = {}): Promise<Service> => {
    const service = await startService({ data, env: { MIEN_PACK: '', ...env } })
    onTestFinished(async () => void (await service.stop()))
    return service
  }
  /** Ids of the faces that match the photo. */
  const identified = async ({ edge, token }: Service): Promise<number[]> => {
    const { status, body } = await clientOf(edge, token)('POST', '/v0/identify', form({ photo }))
    expect(status).toBe(200)
    const matches = Object.values<{ face: { id: number } }[]>(body.results).flat()
    return matches.map(({ face }) => face.id)
  }
  const embedder = async (): Promise<string> =>
    JSON.parse(await readFile(join(data, 'vectors', 'generation.json'), 'utf8')).embedder

  const earlier = await opened({ MIEN_PACK: 'dlib' })
  const enrolled = await clientOf(earlier.edge, earlier.token)('POST', '/v0/face', form({ photo }))
  const { id } = enrolled.body.results[0]
  await earlier.stop()
  // Earlier versions stored no choice.
  await rm(join(data, CHOICE), { force: true })

  const upgraded = await opened()
  expect(upgraded.output()).toContain(HINT)
  expect(await embedder()).toBe('recognition-128-a60675b8')
  expect(await identified(upgraded)).toEqual([id])
  await upgraded.stop()

  const { status, stdout } = spawnSync(
    process.execPath,
    [MIEN, 'models', 'reembed', 'standard', '--data', data],
    {
      encoding: 'utf8',
      env: { ...process.env, MIEN_PACK: '' },
    },
  )
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('standard') })
  const converted = await opened()
  expect(converted.output()).not.toContain(HINT)
  expect(await embedder()).toMatch(/^mobilefacenet-160-/)
  expect(await identified(converted)).toEqual([id])
})
