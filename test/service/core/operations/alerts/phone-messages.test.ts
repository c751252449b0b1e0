/** Messages of rules with a format, at a real server, and the URLs of these rules. */
import { buffer, json } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import type { AlertFormat } from '#contract/model/alert.ts'
import { newestEvent } from '#core/metadata/events/events.ts'
import { newestPosition } from '#core/metadata/positions.ts'
import { putFootage } from '#core/operations/events/snapshots-and-clips.ts'
import { OWNER } from '#test/support/sample-faces.ts'
import { serve } from '#test/support/servers/served.ts'
import { cameraOf, createGallery, enrolOne, it } from '../world.ts'
import { createRule, evaluate, FACE, runAlerts, until } from './shared.ts'

// As in a core that serves: the library's Response takes the place of the global one.
getRequestListener(() => new Response())

const LINK = 'https://mien.example/#/events'

/** The text of a header in RFC 2047. */
const decodedWord = (header: unknown) =>
  Buffer.from(/^=\?utf-8\?B\?(.*)\?=$/.exec(String(header))?.[1] ?? '', 'base64').toString()

it('a rule with a format says who is seen where and when, without a picture', async ({ world }) => {
  const received: [string | undefined, Record<string, unknown>][] = []
  const origin = await serve(async (request, response) => {
    received.push([request.url, (await json(request)) as Record<string, unknown>])
    response.end()
  })
  const { host } = new URL(origin)
  const camera = await cameraOf(world, OWNER, { meta: 'front door' })
  await createGallery(world, 'staff')
  await enrolOne(world, FACE, { galleries: ['staff'], personName: 'Ann Lee' })
  const paths = {
    ntfy: '/base/my%20door?auth=x',
    gotify: '/message?token=x',
    telegram: '/bot1:x/sendMessage?chat_id=-7',
  }
  for (const [format, path] of Object.entries(paths))
    await createRule(world, {
      url: `http://${host}${path}`,
      format: format as AlertFormat,
      gallery: 'staff',
      fpir: 0.001,
      time_zone: 'Europe/Berlin',
    })
  runAlerts(world, [host])
  await enrolOne(world, FACE, {
    camera,
    personName: 'Ann Lee',
    timestamp: Date.UTC(2026, 10, 26, 17, 4) * 1000,
  })
  await until(() => received.length === 3)
  const message = 'Ann Lee, front door, 26 Nov, 18:04'
  expect(received.sort(([a = ''], [b = '']) => a.localeCompare(b))).toEqual([
    ['/base/?auth=x', { topic: 'my door', title: 'door', message, click: LINK }],
    ['/bot1:x/sendMessage?chat_id=-7', { chat_id: '-7', text: `door\n${message}\n${LINK}` }],
    [
      '/message?token=x',
      { title: 'door', message, priority: 5, extras: { 'client::notification': { click: { url: LINK } } } },
    ],
  ])
})

it('a rule with pictures sends the file to ntfy and Telegram, and Gotify a link', async ({ world }) => {
  const received: { url: string; type: string | undefined; text: string; body: Buffer }[] = []
  const origin = await serve(async (request, response) => {
    received.push({
      url: request.url!,
      type: request.headers['content-type'],
      text: decodedWord(request.headers.message),
      body: await buffer(request),
    })
    response.end()
  })
  const { host } = new URL(origin)
  const camera = await cameraOf(world, OWNER, { meta: 'Tür' })
  for (const [format, path] of [
    ['ntfy', '/topic'],
    ['gotify', '/message?token=x'],
    ['telegram', '/bot1:x/sendMessage?chat_id=-7'],
  ] as const)
    await createRule(world, { url: `http://${host}${path}`, format, pictures: true })
  runAlerts(world, [host])
  const face = await enrolOne(world, FACE, { camera })
  await until(() => received.length === 3)
  const jpeg = (await world.pictures.read({ owner: OWNER, id: face }, 'thumbnail'))!
  const [telegram, gotify, ntfy] = received.sort((a, b) => a.url.localeCompare(b.url))
  expect([ntfy!.type, ntfy!.body.equals(jpeg)]).toEqual(['image/jpeg', true])
  expect([ntfy!.url, ntfy!.text]).toEqual(['/topic', expect.stringContaining('Unknown person, Tür')])
  const { extras } = JSON.parse(gotify!.body.toString())
  expect(extras['client::notification'].bigImageUrl).toMatch(/^https:\/\/mien.example.*signature=/)
  expect(telegram).toMatchObject({ url: expect.stringContaining('/bot1:x/sendPhoto?') })
  const form = await new Response(new Uint8Array(telegram!.body), {
    headers: { 'content-type': telegram!.type! },
  }).formData()
  expect(form.get('caption')).toContain('Unknown person, Tür')
  expect(Buffer.from(await (form.get('photo') as File).bytes()).equals(jpeg)).toBe(true)
})

it('a receiver that refuses the picture gets the text, and no alert about the snapshot', async ({
  world,
}) => {
  const types: (string | undefined)[] = []
  const origin = await serve((request, response) => {
    types.push(request.headers['content-type'])
    response.writeHead(request.headers['content-type'] === 'image/jpeg' ? 413 : 200).end()
  })
  const { host } = new URL(origin)
  const camera = await cameraOf(world, OWNER, { options: { snapshot: true } })
  await createRule(world, { url: `http://${host}/topic`, format: 'ntfy', pictures: true })
  runAlerts(world, [host])
  const face = await enrolOne(world, FACE, { camera })
  await until(() => types.length === 2)
  expect(types).toEqual(['image/jpeg', 'application/json'])
  // A rule that begins now has no message about this visit.
  await createRule(world, { url: `http://${host}/later` })
  await putFootage(world, { owner: OWNER, id: face, kind: 'snapshot', hash: 'abcd' }, new Uint8Array(9))
  while (await evaluate(world));
  expect(await newestPosition(world.database, OWNER)).toBe(await newestEvent(world.database, OWNER))
})
