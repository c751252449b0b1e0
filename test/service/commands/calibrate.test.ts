/** `mien calibrate`, and a service that starts with its result. */
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { clientOf, form, SAMPLES, sample } from '#bench/harness/client.ts'
import { startService } from '#bench/harness/service.ts'
import { writeSite } from '#core/calibration/site-file.ts'
import { embedderLabel } from '#core/embedding/label.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'
import { typed } from './typed.ts'

const calibrate = (data: string, ...args: string[]) => typed(['calibrate', ...args, '--data', data])

/** Writes a calibration from random vectors for the embedder of the standard pack. */
async function keepCalibration(data: string): Promise<void> {
  await mkdir(data, { recursive: true })
  await writeSite(data, {
    table: [
      [-1, 0],
      [0, 0.2],
      [0.9, 0.9],
      [1, 1],
    ],
    embedder: embedderLabel(),
    made: '2026-11-20T12:00:00.000Z',
    people: 40,
    pictures: 41,
  })
}

describe('mien calibrate', { tags: 'long' }, () => {
  it('prints its usage for two actions', async () => {
    const { status, said } = calibrate(await temporaryFolder(), '--off', '--images', 'x')
    expect({ status, said }).toEqual({ status: 2, said: expect.stringContaining('mien calibrate --off') })
  })

  it('refuses pictures of too few people, stores nothing, and prints no names', async () => {
    const folder = await temporaryFolder()
    const [images, data] = [join(folder, 'images'), join(folder, 'data')]
    await mkdir(join(images, 'ann'), { recursive: true })
    await mkdir(data)
    for (const name of ['ann/1.jpg', 'ann/2.jpg', 'bob.jpg'])
      await copyFile(join(SAMPLES, 'sample1.jpg'), join(images, name))
    await writeFile(join(images, 'carol.png'), 'no picture')
    const { status, said } = calibrate(data, '--images', images)
    expect(status).toBe(1)
    // Both people have the same face and count as one.
    expect(said).toContain('500 different people are needed')
    expect(said).toContain('these are of 1.')
    expect(said).not.toMatch(/ann|bob|carol/)
    expect(await readdir(data)).toEqual([])
  }, 120_000)

  it('shows the calibration, and removes it with --off', async () => {
    const data = await temporaryFolder()
    expect(calibrate(data, 'status').said).toContain('There is no calibration')
    await keepCalibration(data)
    expect(calibrate(data, 'status').said).toContain('41 pictures of 40 people')
    expect(calibrate(data, '--off')).toMatchObject({
      status: 0,
      said: expect.stringContaining('at the next start'),
    })
    expect(await readdir(data)).toEqual([])
    expect(calibrate(data, '--off')).toMatchObject({ status: 0, said: 'There is no calibration.\n' })
  })
})

describe('a service with a site calibration', { tags: 'long' }, () => {
  it('compares by the calibration at every endpoint and logs nothing of it', async () => {
    const data = await temporaryFolder()
    await keepCalibration(data)
    const service = await startService({ data })
    onTestFinished(() => void service.stop())
    expect(service.output()).toMatch(/"event":"calibrated","people":40/)

    const send = clientOf(service.edge, service.token)
    const [first, second] = [await sample(1), await sample(2)]
    await send('POST', '/v0/face', form({ photo: first }))
    const verified = await send(
      'POST',
      '/v0/verify',
      form({ photo1: second, photo2: first, threshold: 'none' }),
    )
    const identified = await send('POST', '/v0/identify', form({ photo: second, threshold: 'none' }))
    const [matches] = Object.values(identified.body.results) as {
      confidence: number
      face: { id: number }
    }[][]
    const { confidence } = matches![0]!
    expect(confidence).toBe(verified.body.results[0].confidence)

    const list = await (await fetch(`${service.core}/stat/list/1/1`)).json()
    const gallery = (list as { galleries: { name: string }[] }).galleries[0]!.name
    const face = await (await fetch(`${service.core}/v1/${gallery}/get/${matches![0]!.face.id}`)).json()
    const body = Buffer.from((face as { facen: string }).facen, 'base64')
    const found = await (
      await fetch(`${service.core}/v1/${gallery}/search/1/0`, { method: 'POST', body })
    ).json()
    const itself = await send('POST', '/v0/verify', form({ photo1: first, photo2: first, threshold: 'none' }))
    expect(itself.body.results[0].confidence).toBeGreaterThan(confidence)
    expect(found).toEqual([{ conf: itself.body.results[0].confidence, id: matches![0]!.face.id }])
  }, 120_000)
})
