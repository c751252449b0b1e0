/** This edge with the core of the last release, as after an upgrade in the wrong order. Operations that both know work. */
import { join } from 'node:path'
import { clientOf, form, sample } from '#test/support/client.ts'
import { checkOutRelease, hasRelease } from '#test/support/released.ts'
import { newToken } from '#test/support/tokens.ts'
import { runMien } from '#test/support/typed.ts'
import { startCore } from '../../unit/core/core-process.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'
import { startEdgeProcess } from '../edge/edge-process.ts'

it.skipIf(!hasRelease())(
  'this edge works with the core of the last release, which stores nothing of later requests, and with its successor once its vectors are converted',
  { tags: ['long', 'released'] },
  async () => {
    const { folder, remove } = await checkOutRelease()
    onTestFinished(remove)
    const data = await temporaryFolder()
    const released = startCore(data, {}, join(folder, 'core', 'server.ts'))
    const port = String(await released.port)
    const edge = await startEdgeProcess(data, [`http://127.0.0.1:${port}`])
    const api = clientOf(edge.origin, newToken(data, 'ann'))
    const photo = await sample(1)
    const statuses = async () => [
      (await api('POST', '/v1/face', form({ photo }))).status,
      (await api('POST', '/v1/identify', form({ photo }))).status,
      (await api('GET', '/v1/persons')).status,
    ]
    expect(await statuses()).toEqual([200, 200, 200])
    // The core refuses a field that it does not know, and stores nothing.
    const named = await api('POST', '/v1/face', form({ photo, person: 'Ann' }))
    expect(named).toMatchObject({ status: 503, body: { reason: expect.stringContaining('Upgrade core.') } })
    released.child.kill('SIGTERM')
    await released.exit
    await expect(startCore(data).port).rejects.toThrow('run "mien models reembed"')
    expect(runMien(['models', 'reembed', '--data', data])).toExit(0)
    await startCore(data, { MIEN_CORE_PORT: port }).port
    expect(await statuses()).toEqual([200, 200, 200])
    expect((await api('GET', '/v1/faces')).body.results).toHaveLength(2)
  },
)
