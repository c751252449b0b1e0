/** A later version: offered releases, data that the server receives, and no request without an address. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { askForReleaseRepeatedly, laterRelease } from '#core/operations/service/later-version.ts'
import { type Reply, scriptedServer } from '#test/unit/clients/scripted-server.ts'

const version = '0.2.9'
const RELEASE = { body: { tag_name: 'v0.3.0', prerelease: false, assets: [{ name: 'mien' }] } }

async function answered(reply: Reply) {
  await using server = await scriptedServer(reply)
  return await laterRelease({ url: server.url, version }, new AbortController().signal)
}

it.each([
  [RELEASE.body, '0.3.0'],
  [{ tag_name: '0.2.10' }, '0.2.10'],
  [{ tag_name: 'v0.2.9' }, undefined],
  [{ tag_name: '0.1.10' }, undefined],
  [{ tag_name: 'v0.3.0-rc.1' }, undefined],
  [{ tag_name: 'v0.3.0', prerelease: true }, undefined],
])('of %j after 0.2.9, %s is offered', async (body, later) => {
  expect(await answered({ body })).toBe(later)
})

it.each<[string, Reply, object]>([
  ['a page', { body: '<html>' }, { name: 'SyntaxError' }],
  ['no version', { body: { tag_name: 'v0.3.0<script>' } }, { name: 'ZodError' }],
  ['a long text', { body: 'x'.repeat(2 ** 20 + 1) }, { message: 'too long an answer' }],
  ['a redirect', { status: 302, headers: { location: '/' } }, { code: 302 }],
  ['half an answer', 'break off', { code: 'ECONNRESET' }],
])('refuses %s', async (_, reply, error) => {
  await expect(answered(reply)).rejects.toMatchObject(error)
})

it('asks again after failures, and tells the first of several', async () => {
  await using server = await scriptedServer({ status: 500 }, 'break', RELEASE, 'break')
  const failed = vi.fn()
  const { laterVersion, stop } = askForReleaseRepeatedly({ url: server.url, version }, failed, 1)
  await expect.poll(() => server.asked.length).toBeGreaterThan(5)
  await stop()
  expect(laterVersion()).toBe('0.3.0')
  expect(failed.mock.calls).toMatchObject([[{ code: 500 }], [{ code: 'ECONNRESET' }]])
})

it('stops while a server is silent', async () => {
  await using server = await scriptedServer('silence')
  const failed = vi.fn()
  const { stop } = askForReleaseRepeatedly({ url: server.url, version }, failed)
  await expect.poll(() => server.asked.length).toBe(1)
  await stop()
  expect(failed).not.toHaveBeenCalled()
})

it('sends a bare request, and none without an address', async () => {
  const sent = vi.fn()
  subscribe('http.client.request.start', sent)
  onTestFinished(() => void unsubscribe('http.client.request.start', sent))
  await using server = await scriptedServer(RELEASE)
  const tasks = ['', server.url].map(url => askForReleaseRepeatedly({ url, version }, () => {}))
  await expect.poll(() => tasks.map(task => task.laterVersion())).toEqual([undefined, '0.3.0'])
  for (const task of tasks) await task.stop()
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'mien' }
  const { host } = new URL(server.url)
  const request = { method: 'GET', path: '/', body: '', headers: { ...headers, host, connection: 'close' } }
  expect(server.asked).toEqual([request])
  expect(sent).toHaveBeenCalledTimes(1)
})
