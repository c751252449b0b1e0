/** Verbs that use the API of the running service and that `mien api` does not replace, as a person types them. */

import { join } from 'node:path'
import sharp from 'sharp'
import { inject } from 'vitest'
import { clientOf, form, sample } from '#test/support/client.ts'
import { ROOT } from '#test/support/root.ts'
import { runMien } from '#test/support/typed.ts'
import { temporaryPath } from '#test/unit/core/folder.ts'

const PHOTOS = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo')
const THREE_FACES = join(PHOTOS, 'sample1.jpg')
const ENV = { MIEN_URL: inject('edge'), MIEN_TOKEN: inject('token') }

const mien = (...args: string[]) => runMien(args, ENV)

const api = clientOf(ENV.MIEN_URL, ENV.MIEN_TOKEN)

/** The id of the face of a sample photo. */
async function enrol(number: 1 | 3, fields: Record<string, string>): Promise<number> {
  const { body } = await api('POST', '/v1/face', form({ photo: await sample(number), ...fields }))
  return body.results[0].id
}

it('mien detect prints one line per face, and draws boxes on a copy of the photo', {
  tags: 'long',
}, async () => {
  const out = await temporaryPath('boxes.png')
  const { status, stdout } = mien('detect', THREE_FACES, '--quality', '--draw', out)
  expect(status).toBe(0)
  expect(stdout.split('\n')[0]).toMatch(/^FACE +BOX +QUALITY$/)
  expect(stdout.trim().split('\n')).toHaveLength(4)
  const [before, after] = [await sharp(THREE_FACES).metadata(), await sharp(out).metadata()]
  expect([after.width, after.height]).toEqual([before.width, before.height])
  expect(mien('detect', 'http://127.0.0.1:1/a.jpg', '--draw', out).status, 'a URL').toBe(2)
})

it('mien verify exits with 0 for the same person and with 1 for others', { tags: 'long' }, () => {
  expect(mien('verify', THREE_FACES, THREE_FACES)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/ yes\n$/),
  })
  expect(mien('verify', THREE_FACES, join(PHOTOS, 'sample5.jpg'), '--threshold', 'strict')).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/ no\n$/),
  })
})

it('mien identify names each face by its best match, and marks faces without a match', {
  tags: 'long',
}, async () => {
  const gallery = 'verbs-identify'
  await api('POST', `/v1/galleries/${gallery}`)
  await enrol(1, { meta: 'Ann\u001b[31m', galleries: gallery })
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

it('mien check checks a gallery, and sets faces aside that are not like the others of their person', {
  tags: 'long',
}, async () => {
  const gallery = 'verbs-check'
  await api('POST', `/v1/galleries/${gallery}`)
  const ids: number[] = []
  for (const number of [3, 3, 1] as const) {
    const id = await enrol(number, { galleries: gallery })
    await api('PUT', `/v1/face/id/${id}`, { person_id: 'Check' })
    ids.push(id)
  }
  const { status, stdout } = mien('check', gallery)
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: expect.stringMatching(
      /does not match the other photos of this person +Check .+\n.*the same picture twice/s,
    ),
  })
  const checked = JSON.parse(mien('check', gallery, '--set-aside', '--json').stdout)
  expect(checked).toMatchObject({ set_aside: [ids[2]] })
  expect(JSON.parse(mien('check', gallery, '--json').stdout)).toMatchObject({
    findings: [{ kind: 'duplicate' }],
  })
})
