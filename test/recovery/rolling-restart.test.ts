/** Cores that are told to stop and started again, one after the other, while an edge asks them: nothing fails. */
import { cp } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { clientOf, form, sample } from '../../bench/harness/client.ts'
import { newToken } from '../../bench/harness/tokens.ts'
import { startEdge } from '../service/edge/edge-process.ts'
import { type Core, startCore } from '../unit/core/core-process.ts'
import { temporaryFolder } from '../unit/core/folder.ts'

/** Which core, one restart after the other. */
const RESTARTS = [0, 1]

/** Two cores with the same owners and tokens: one on a copy of the other's folder. What is posted is in one of them. */
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

it('a rolling restart fails no request, neither those that change something', {
  timeout: 300_000,
}, async () => {
  const { data, token, cores, ports } = await twoCores()
  const edge = await startEdge(
    data,
    ports.map(port => `http://127.0.0.1:${port}`),
  )
  const api = clientOf(edge, token)
  const photo = await sample(3)
  const answered = new Map<string, number>()
  let goesOn = true
  const repeating = async (what: () => Promise<{ status: number }>, name: string) => {
    while (goesOn) {
      const key = `${name} ${(await what()).status}`
      answered.set(key, (answered.get(key) ?? 0) + 1)
    }
  }
  const list = () => repeating(() => api('GET', '/v0/galleries'), 'list')
  const post = () => repeating(() => api('POST', '/v0/face', form({ photo })), 'post')
  const load = Promise.all([list(), list(), list(), post(), post(), post()])

  await Promise.all(cores.map(asked))
  for (const which of RESTARTS) {
    const { child, exit, data } = cores[which]!
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    await more(answered)
    cores[which] = startCore(data, { MIEN_CORE_PORT: String(ports[which]) })
    await cores[which].port
    await asked(cores[which])
  }
  goesOn = false
  await load
  expect([...answered.keys()].sort()).toEqual(['list 200', 'post 200'])
})

/** Resolves when some more of each have been answered. */
async function more(answered: ReadonlyMap<string, number>): Promise<void> {
  const before = new Map(answered)
  const isMore = (key: string) => (answered.get(key) ?? 0) >= (before.get(key) ?? 0) + 3
  while (!isMore('list 200') || !isMore('post 200')) await sleep(20)
}

/** Resolves when the core was asked to enrol. What it says is read to the end: it would stand still otherwise. */
const asked = ({ child }: Core): Promise<void> =>
  new Promise(resolve =>
    child.stdout!.on('data', text => {
      if (String(text).includes('/internal/enrol')) resolve()
    }),
  )
