/** Cores that are stopped and restarted in turn under load: no request fails. */
import { cp } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { clientOf, form, sample } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { type Load, startLoad } from '../load.ts'
import { startEdge } from '../service/edge/edge-process.ts'
import { type Core, startCore } from '../unit/core/core-process.ts'
import { temporaryFolder } from '../unit/core/folder.ts'

/** The core of each restart. */
const RESTARTS = [0, 1]

/** Two cores with the same owners and tokens, one on a copy of the other's folder. Each stores its own enrolments. */
async function twoCores() {
  const [data, copy] = [await temporaryFolder(), await temporaryFolder()]
  const maker = startCore(data)
  await maker.port
  const token = newToken(data, 'ann')
  maker.child.kill('SIGTERM')
  await maker.exit
  await cp(data, copy, { recursive: true })
  const cores: Core[] = [startCore(data), startCore(copy)]
  const ports = await Promise.all(cores.map(({ port }) => port))
  return { data, token, cores, ports }
}

it('a rolling restart of two cores fails no request', { tags: 'long', timeout: 300_000 }, async () => {
  const { data, token, cores, ports } = await twoCores()
  const edge = await startEdge(
    data,
    ports.map(port => `http://127.0.0.1:${port}`),
  )
  const api = clientOf(edge, token)
  const photo = await sample(3)
  const answered = new Map<string, number>()
  const counting = (name: string, send: () => Promise<{ status: number }>) => async () => {
    const key = `${name} ${(await send()).status}`
    answered.set(key, (answered.get(key) ?? 0) + 1)
  }
  const list = counting('list', () => api('GET', '/v0/galleries'))
  const post = counting('post', () => api('POST', '/v0/face', form({ photo })))
  const load = startLoad([list, list, list, post, post, post])

  await Promise.all(cores.map(asked))
  for (const which of RESTARTS) {
    const { child, exit, data } = cores[which]!
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    await more(load, answered)
    cores[which] = startCore(data, { MIEN_CORE_PORT: String(ports[which]) })
    await cores[which].port
    await asked(cores[which])
  }
  await load.stop()
  expect([...answered.keys()].sort()).toEqual(['list 200', 'post 200'])
})

/** Resolves after three more answers of each kind. */
function more(load: Load, answered: ReadonlyMap<string, number>): Promise<void> {
  const before = new Map(answered)
  const isMore = (key: string) => (answered.get(key) ?? 0) >= (before.get(key) ?? 0) + 3
  return load.until(() => isMore('list 200') && isMore('post 200'))
}

/** Resolves after the core's next enrolment. Drains the output, because a full pipe would block the core. */
const asked = ({ child }: Core): Promise<void> =>
  new Promise(resolve =>
    child.stdout!.on('data', text => {
      if (String(text).includes('/internal/enrol')) resolve()
    }),
  )
