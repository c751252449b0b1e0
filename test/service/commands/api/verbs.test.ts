/** Verbs that use the API of the running service, as a person types them. */
import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, inject, it } from 'vitest'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { ROOT, typed } from '../typed.ts'

const PHOTOS = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo')
const THREE_FACES = join(PHOTOS, 'sample1.jpg')
const ENV = { MIEN_URL: inject('edge'), MIEN_TOKEN: inject('token') }

const mien = (...args: string[]) => typed(args, ENV)

/** The answer of a command with --json. */
const json = (...args: string[]) => {
  const { status, stdout, stderr } = mien(...args, '--json')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('mien detect', { tags: 'long' }, () => {
  it('prints one line per face, and draws boxes on a copy of the photo', async () => {
    const out = join(await temporaryFolder(), 'boxes.png')
    const { status, stdout } = mien('detect', THREE_FACES, '--quality', '--draw', out)
    expect(status).toBe(0)
    expect(stdout.split('\n')[0]).toMatch(/^FACE +BOX +QUALITY$/)
    expect(stdout.trim().split('\n')).toHaveLength(4)
    const [before, after] = [await sharp(THREE_FACES).metadata(), await sharp(out).metadata()]
    expect([after.width, after.height]).toEqual([before.width, before.height])
  })

  it('names a missing token or photo', () => {
    expect(typed(['detect', THREE_FACES], { MIEN_URL: inject('edge') })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('A URL needs a token'),
    })
    expect(mien('detect', 'missing.jpg')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('missing.jpg'),
    })
  })
})

describe('mien bench', { tags: 'long' }, () => {
  it('measures requests', () => {
    const operation = 'verify'
    const measured = json('bench', THREE_FACES, '--operation', operation, '--seconds', '1', '--callers', '2')
    expect(measured).toMatchObject({ operation, callers: 2, refused: {} })
    expect(measured.answered).toBeGreaterThan(0)
    expect(measured.median_ms).toBeLessThanOrEqual(measured.slowest_ms)
  })

  it('counts refusals by code, and exits with 1 without an answer', () => {
    const { status, stdout } = mien('bench', join(ROOT, 'package.json'), '--seconds', '1', '--json')
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ answered: 0, refused: { BAD_IMAGE: expect.any(Number) } })
  })
})

describe('mien verify', { tags: 'long' }, () => {
  it('exits with 0 for the same person and with 1 for others', () => {
    expect(mien('verify', THREE_FACES, THREE_FACES)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/ yes\n$/),
    })
    expect(mien('verify', THREE_FACES, join(PHOTOS, 'sample5.jpg'), '--threshold', 'strict')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/ no\n$/),
    })
  })
})

describe('mien identify', { tags: 'long' }, () => {
  it('names each face by its best match, and marks faces without a match', async () => {
    const gallery = 'verbs-identify'
    json('gallery', 'create', gallery)
    const form = new FormData()
    form.append('photo', await openAsBlob(THREE_FACES), 'a.jpg')
    form.append('meta', 'Ann\u001b[31m')
    form.append('galleries', gallery)
    const headers = { authorization: `Token ${ENV.MIEN_TOKEN}` }
    expect((await fetch(`${ENV.MIEN_URL}/v1/face`, { method: 'POST', headers, body: form })).status).toBe(200)
    const { stdout } = mien('identify', THREE_FACES, '--gallery', gallery, '--selector', 'all')
    expect(stdout.match(/ Ann +(1|0\.99\d*) /g)).toHaveLength(1)
    expect(stdout.match(/\(no match\)/g)).toHaveLength(2)
    expect(stdout).not.toContain('\u001b')
    const who = (...options: string[]) =>
      mien('identify', THREE_FACES, '--gallery', gallery, '--selector', 'all', ...options)
    const bounded = who('--fpir', '0.01').stdout
    expect(bounded.match(/ Ann: certain /g)).toHaveLength(1)
    expect(bounded.match(/ unknown\b/g)).toHaveLength(2)
    expect(who('--target', 'persons').stdout.match(/ unknown\b/g), 'no persons').toHaveLength(3)
    expect(who('--fpir', '0.01', '--threshold', 'low').stderr).toContain('cannot be used with')
  })
})

describe('mien gallery, mien camera, mien person', { tags: 'long' }, () => {
  it('creates, lists, shows, changes and deletes a gallery', () => {
    expect(json('gallery', 'create', 'verbs', '--retention-days', '30')).toEqual({
      name: 'verbs',
      retention_days: 30,
    })
    expect(json('gallery', 'list')).toContain('verbs')
    expect(json('gallery', 'change', 'verbs', '--retention-days', '7')).toMatchObject({ retention_days: 7 })
    expect(json('gallery', 'change', 'verbs', '--display-name', 'All verbs')).toEqual({
      ...{ name: 'verbs', retention_days: 7, display_name: 'All verbs' },
    })
    expect(json('gallery', 'change', 'verbs', '--display-name', '')).not.toHaveProperty('display_name')
    expect(json('gallery', 'show', 'verbs')).toMatchObject({ retention_days: 7 })
    expect(mien('gallery', 'delete', 'verbs')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--yes'),
    })
    expect(mien('gallery', 'delete', 'verbs', '--yes')).toMatchObject({ status: 0 })
    expect(mien('gallery', 'show', 'verbs')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('404 NOT_FOUND'),
    })
  })

  it('checks a gallery, and sets faces aside that are not like the others of their person', async () => {
    const gallery = 'verbs-check'
    json('gallery', 'create', gallery)
    const headers = { authorization: `Token ${ENV.MIEN_TOKEN}`, 'content-type': 'application/json' }
    const enrolled = [3, 3, 1].map(async number => {
      const form = new FormData()
      form.append('photo', await openAsBlob(join(PHOTOS, `sample${number}.jpg`)), 'a.jpg')
      form.append('galleries', gallery)
      const { authorization } = headers
      const sent = await fetch(`${ENV.MIEN_URL}/v1/face`, {
        method: 'POST',
        headers: { authorization },
        body: form,
      })
      const { id } = (await sent.json()).results[0]
      const body = JSON.stringify({ person_id: 'Check' })
      await fetch(`${ENV.MIEN_URL}/v1/face/id/${id}`, { method: 'PUT', headers, body })
      return id
    })
    const ids = await Promise.all(enrolled)
    const { status, stdout } = mien('check', gallery)
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: expect.stringMatching(
        /is not like the others of this person +Check .+\n.*the same picture twice/s,
      ),
    })
    const checked = JSON.parse(mien('check', gallery, '--set-aside', '--json').stdout)
    expect(checked).toMatchObject({ set_aside: [ids[2]] })
    expect(JSON.parse(mien('check', gallery, '--json').stdout)).toMatchObject({
      findings: [{ kind: 'duplicate' }],
    })
  })

  it('creates, tests, lists and deletes a rule, and prints its alerts', async () => {
    const about = ['--person', '7', '8', '--browsers']
    const { id } = json('alert', 'create', '--name', 'door', '--cooldown', '9')
    expect(json('alert', 'list')).toContainEqual(expect.objectContaining({ id, cooldown_seconds: 9 }))
    const rule = json('alert', 'create', '--name', 'two', ...about)
    expect(rule).toMatchObject({ person_ids: [7, 8], browsers: true })
    expect(mien('alert', 'delete', rule.id)).toMatchObject({ status: 0 })
    const sent = json('alert', 'test', id)
    expect(json('alert', 'deliveries', id, '--state', 'delivered')).toEqual([sent])
    const after = String(sent.id - 1)
    const { status, stdout } = mien('events', '--alerts', '--after', after, '--limit', '1')
    expect({ status, ...JSON.parse(stdout) }).toEqual({
      status: 0,
      id: String(sent.id),
      alert: { alert: { id, name: 'door' } },
    })
    expect(mien('alert', 'delete', id)).toMatchObject({ status: 0 })
    expect(mien('alert', 'test', id)).toMatchObject({ status: 1 })
  })

  it('takes the URL of a webhook with a token from a file, and not on the command line', async () => {
    const file = join(await temporaryFolder(), 'gotify.url')
    const url = 'https://gotify.example/message?token=secret'
    await writeFile(file, `${url}\n`)
    const { id } = json('alert', 'create', '--webhook-file', file, '--format', 'gotify')
    expect(json('alert', 'list')).toContainEqual(expect.objectContaining({ id, url }))
    expect(mien('alert', 'create', '--webhook', url)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--webhook-file'),
    })
  })

  it('estimates and stops the grouping of stored faces', () => {
    expect(json('person', 'group', '--preview')).toMatchObject({ sampled: expect.any(Number) })
    expect(json('person', 'group', '--stop')).toEqual(json('person', 'group', '--status'))
    expect(mien('person', 'group', '--stop', '--undo')).toMatchObject({ status: 2 })
  })

  it('creates, lists, shows and deletes a camera', () => {
    const { id } = json('camera', 'create', '--meta', 'door', '--retention-days', '9')
    expect(json('camera', 'list')).toContainEqual(expect.objectContaining({ id, meta: 'door' }))
    expect(json('camera', 'show', id)).toMatchObject({ meta: 'door', retention_days: 9 })
    expect(mien('camera', 'delete', id)).toMatchObject({ status: 0 })
    expect(mien('camera', 'show', id)).toMatchObject({ status: 1 })
  })

  it('takes the password of a camera from a file or standard input, and never prints it', async () => {
    const file = join(await temporaryFolder(), 'door.url')
    const url = 'rtsp://ann:secret@10.0.0.9/1'
    await writeFile(file, `${url}\n`)
    const { id } = json('camera', 'create', '--stream-file', file)
    const piped = typed(['camera', 'create', '--stream-file', '-', '--json'], ENV, url)
    for (const one of [id, JSON.parse(piped.stdout).id])
      expect(json('camera', 'show', one)).toMatchObject({ url: 'rtsp://***@10.0.0.9/1' })
    expect(mien('camera', 'list').stdout).not.toContain('secret')
    expect(JSON.stringify(json('camera', 'list'))).not.toContain('secret')
    const typedUrl = mien('camera', 'create', '--stream', url)
    expect(typedUrl).toMatchObject({ status: 2, stderr: expect.stringContaining('--stream-file') })
    expect(typedUrl.stderr).not.toContain('ann')
  })
})
