/** Alert rules over the API, with the receiver of docs/alerts.md. */

import { spawn } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { DeliverySchema, SetAlertSchema } from '#contract/model/alert.ts'
import { form, sample } from '#test/support/client.ts'
import { ROOT } from '#test/support/root.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { freshApi } from '../../shared.ts'

/** Starts the script of the documentation. Returns its output. */
async function documentedReceiver(port: number, secret: string) {
  const folder = await temporaryFolder()
  const [, script] =
    /```js\n([\s\S]*?)```/.exec(await readFile(join(ROOT, 'docs', 'alerts.md'), 'utf8')) ?? []
  await writeFile(join(folder, 'receiver.mjs'), script!)
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const child = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env: { ...process.env, SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  let printed = ''
  child.stdout.on('data', text => {
    printed += text
  })
  await expect.poll(() => printed, { timeout: 60_000 }).toContain('ready')
  return () => printed
}

describe('alert rules', { tags: 'long' }, () => {
  it('reach the receiver of the documentation, with links that work', { timeout: 240_000 }, async () => {
    const api = freshApi()
    const port = inject('webhookPort')
    const url = `http://127.0.0.1:${port}/`
    const { status, body } = await api('POST', '/v1/alerts', { url, name: 'door' })
    expect(status).toBe(201)
    const { id, secret = '' } = SetAlertSchema.parse(body)
    const printed = await documentedReceiver(port, secret)
    const { body: camera } = await api('POST', '/v1/camera', {})
    const photo = await sample(3)
    const sent = await api('POST', '/v1/face', form({ photo, cam_id: camera.id }))
    const [face] = sent.body.results
    await expect.poll(printed, { timeout: 60_000 }).toContain(`door unknown ${face.id} http`)
    const [, link] = /door unknown \d+ (\S+)/.exec(printed()) ?? []
    expect((await fetch(link!)).headers.get('content-type')).toBe('image/jpeg')
    const deliveries = await api('GET', `/v1/alert/id/${id}/deliveries?state=delivered`)
    expect(deliveries.body.results.map((one: unknown) => DeliverySchema.parse(one))).toMatchObject([
      { face_id: face.id, attempts: 1 },
    ])
    expect((await api('POST', `/v1/alert/id/${id}/test`)).body).toMatchObject({ type: 'test' })
  })
})
