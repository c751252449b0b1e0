/** Verbs that use the API of the running service and that `mien api` does not replace, as a person types them. */
import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, inject, it } from 'vitest'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { ROOT, typed } from '../typed.ts'

const PHOTOS = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo')
const THREE_FACES = join(PHOTOS, 'sample1.jpg')
const ENV = { MIEN_URL: inject('edge'), MIEN_TOKEN: inject('token') }

const mien = (...args: string[]) => typed(args, ENV)

const createGallery = (gallery: string) =>
  expect(mien('api', 'createGallery', '--gallery', gallery).status).toBe(0)

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
    createGallery(gallery)
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

describe('mien check', { tags: 'long' }, () => {
  it('checks a gallery, and sets faces aside that are not like the others of their person', async () => {
    const gallery = 'verbs-check'
    createGallery(gallery)
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
})
