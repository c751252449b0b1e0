/** `mien api`: requests of the API, as a person types them. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { ROOT } from '#test/support/root.ts'
import { newToken } from '#test/support/tokens.ts'
import { runMien, startMien } from '#test/support/typed.ts'
import { temporaryPath } from '#test/unit/core/folder.ts'

const PHOTO = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo', 'sample1.jpg')
const ENV = { MIEN_URL: inject('edge'), MIEN_TOKEN: newToken(inject('data'), 'mien-api') }

const api = (...args: string[]) => runMien(['api', ...args], ENV)

/** The answer of a request. */
const answer = (...args: string[]) => {
  const { status, stdout, stderr } = api(...args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout === '' ? undefined : JSON.parse(stdout)
}

describe('mien api', { tags: 'long' }, () => {
  it('sends parameters of path, query and body, and prints the answer or nothing', () => {
    const gallery = ['--gallery', 'guests']
    const created = answer(
      'createGallery',
      ...gallery,
      '--retention_days',
      '7',
      '--display_name',
      'Our guests',
    )
    expect(created).toEqual({ name: 'guests', retention_days: 7, display_name: 'Our guests' })
    expect(answer('changeGallery', ...gallery, '--display_name', '')).toEqual({
      name: 'guests',
      retention_days: 7,
    })
    expect(answer('listPersons', '--name', 'unknown')).toEqual({ results: [] })
    expect(answer('deleteGallery', ...gallery)).toBeUndefined()
  })

  it('sends a photo from a file, words as a list, truth values and JSON, and prints all pages as one list', () => {
    answer('createGallery', '--gallery', 'one')
    answer('createGallery', '--gallery', 'two')
    const { id: camera } = answer('createCamera', '--options', '{"snapshot": true}')
    const enrolled = answer(
      'enrol',
      '--photo',
      `@${PHOTO}`,
      '--mf_selector',
      'all',
      '--meta',
      '@@ann',
      '--quality',
      '--galleries',
      'one',
      'two',
      '--cam_id',
      camera,
      '--detectorParams',
      '{"score": 0.5}',
    ).results
    expect(enrolled).toHaveLength(3)
    for (const face of enrolled)
      expect(face).toMatchObject({
        meta: '@ann',
        galleries: ['default', 'one', 'two'],
        quality: expect.anything(),
        detector_info: { score: 0.5 },
      })
    const ids = enrolled.map(({ id }: { id: number }) => id).sort()
    const page = answer('listFaces', '--limit', '2')
    expect(page).toMatchObject({ results: [{}, {}], next_page: expect.stringContaining('max_id=') })
    const all = answer('listFaces', '--limit', '2', '--all-pages')
    expect(all.map(({ id }: { id: number }) => id).sort()).toEqual(ids)
    expect(answer('listFaces', '--meta', 'unknown', '--all-pages')).toEqual([])
    expect(answer('updateFace', '--id', String(ids[0]), '--galleries', '{"del": ["one"]}')).toMatchObject({
      galleries: ['default', 'two'],
    })
  })

  it('names a refusal in the words of the contract, on standard error', () => {
    expect(api('getGallery', '--gallery', 'nowhere')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^404 NOT_FOUND: .+ \(request \S+\)\n$/),
    })
    expect(api('listFaces', '--limit', 'many').stderr).toMatch(
      /^400 BAD_PARAM: .*a whole number from 1 to 1000/,
    )
    expect(api('detect', '--photo', `@${join(ROOT, 'package.json')}`).stderr).toMatch(/^400 BAD_IMAGE: /)
  })

  it('refuses unknown and missing parameters, files and tokens before it sends anything', () => {
    for (const [args, message] of [
      [['listPersons', '--nam', 'ann'], "Unknown option '--nam'.\n(Did you mean --name?)"],
      [['detect'], "Required option '--photo <@FILE>' not specified."],
      [['detect', '--photo', 'photo.jpg'], '--photo takes @FILE or the URL of a photo, not "photo.jpg".'],
      [['createAlert', '--url', '@/nowhere'], '--url names /nowhere, which cannot be read.'],
      [['enrol', '--photo', `@${PHOTO}`, '--detectorParams', '{'], '--detectorParams takes JSON, not "{".'],
      [['listFaces', '--min_id', '7', '--all-pages'], 'leave out --min_id'],
    ] as const)
      expect(api(...args)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(message) })
    expect(api('detect', '--photo', '@missing.jpg')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('missing.jpg'),
    })
    expect(runMien(['api', 'getService'], { ...ENV, MIEN_TOKEN: '' }).stderr).toContain('A URL needs a token')
  })

  it('takes secrets from a file or standard input, refuses them on the command line, and masks secrets of cameras', async () => {
    const file = await temporaryPath('door.url')
    const url = 'rtsp://ann:secret@10.0.0.9/1'
    await writeFile(file, `${url}\n`)
    expect(answer('createCamera', '--url', `@${file}`)).toMatchObject({ url: 'rtsp://***@10.0.0.9/1' })
    const piped = runMien(['api', 'createCamera', '--url', '@-'], ENV, url)
    const { id } = JSON.parse(piped.stdout)
    expect(answer('getCamera', '--id', id)).toMatchObject({ url: 'rtsp://***@10.0.0.9/1' })
    expect(api('listCameras').stdout).not.toContain('secret')
    const stored = await fetch(`${ENV.MIEN_URL}/v1/camera/${id}`, {
      headers: { authorization: `Token ${ENV.MIEN_TOKEN}` },
    })
    expect(await stored.json()).toMatchObject({ url })
    const { status, stderr } = api('createCamera', '--url', url)
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('--url @FILE') })
    expect(stderr).not.toContain('ann')
    const webhook = 'https://gotify.example/message?token=secret'
    await writeFile(file, webhook)
    expect(answer('createAlert', '--url', `@${file}`, '--format', 'gotify')).toMatchObject({ url: webhook })
  })

  it('manages rules of alerts, and mien events prints their alerts', () => {
    const rule = answer('createAlert', '--name', 'door', '--person_ids', '7', '8')
    expect(rule).toMatchObject({ person_ids: [7, 8] })
    const { id } = rule
    const sent = answer('testAlert', '--id', id)
    expect(answer('listDeliveries', '--id', id, '--state', 'delivered').results).toEqual([sent])
    const after = String(sent.id - 1)
    const { status, stdout } = runMien(['events', '--alerts', '--after', after, '--limit', '1'], ENV)
    expect({ status, ...JSON.parse(stdout) }).toEqual({
      status: 0,
      id: String(sent.id),
      alert: { alert: { id, name: 'door' } },
    })
    answer('deleteAlert', '--id', id)
    expect(api('testAlert', '--id', id).status).toBe(1)
  })
  it('is not silent where mien events finds no service', async () => {
    const { child, said, exited } = startMien(['events'], { ...ENV, MIEN_URL: 'http://127.0.0.1:1' })
    await expect.poll(said).toBe('The service does not answer. The command tries again.\n')
    child.kill()
    await exited
  })
})
