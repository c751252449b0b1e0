/** Measures right sign-ins beside wrong ones from one address, and from a hundred. */
import { newToken } from '#contract/model/token.ts'
import { startLink } from '#core/metadata/issue-tokens.ts'
import { benchmark } from '../benchmark.ts'
import { authenticator } from '../lib/authenticator.ts'
import { cheapClient, openLoop } from '../load.ts'
import { fixed, median } from '../statistics.ts'

const ADDRESSES = 100

const TARGETS = { right: 'all', longestMs: '<= 2000' }

export default benchmark({
  description:
    'sign-ins by link, invitation and passkey while wrong ones arrive from one address and from a hundred',
  options: {
    /** Wrong sign-ins a second from one address, and from a hundred others together. */
    one: 200,
    hundred: 60,
    /** Right sign-ins, evenly over the time, and their address. That of the flood is 198.51.100.1. */
    right: 25,
    address: '192.0.2.1',
    seconds: 10,
  },
  async run({ one, hundred, right, address, seconds }, rig) {
    const service = await rig.service({ args: ['--trusted-proxies', 'loopback'] })
    const origin = service.edge.replace('127.0.0.1', 'localhost')
    const post = async (from: string, body: object): Promise<{ status: number; challenge: string }> => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
      const sent = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${origin}/session`, sent).catch(() => undefined)
      const { options } = (await answer?.json().catch(() => undefined)) ?? {}
      return { status: answer?.status ?? 0, challenge: options?.challenge ?? '' }
    }
    const invitation = async (name: string): Promise<string> =>
      (await service.send('POST', '/v1/users', { name, role: 'look' })).body.link.split('/').at(-1)
    const register = async (code: string) => {
      const passkey = authenticator(origin)
      const { challenge } = await post(address, { code })
      return { passkey, answer: await post(address, { code, credential: passkey.create(challenge) }) }
    }
    const { passkey } = await register(await invitation('passkey'))
    const owner = { data: service.data, owner: 'starter', role: 'look' } as const
    const codes = await Promise.all(
      Array.from({ length: right }, (_, i) =>
        [
          () => startLink({ ...owner, name: `link ${i}` }),
          () => invitation(`invitation ${i}`),
          async () => undefined,
        ][i % 3]!(),
      ),
    )
    const signIns = [
      (code = '') => post(address, { code }),
      async (code = '') => (await register(code)).answer,
      async () => post(address, { credential: passkey.get((await post(address, {})).challenge) }),
    ]
    const known = { ...authenticator(origin).get((await post(address, {})).challenge), id: passkey.id }
    const ask = cheapClient(origin)
    const wrong = async (from: string, i: number): Promise<number> => {
      const body = Buffer.from(JSON.stringify(i % 2 ? { credential: known } : { code: await newToken() }))
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
      return (await ask({ method: 'POST', path: '/session', headers, body })).status
    }

    const [ms, wrongAnswers]: [number[], number[]] = [[], []]
    let [turn, sent, others] = [0, 0, 0]
    await Promise.all([
      openLoop(one, 1000 * seconds, async () => {
        wrongAnswers.push(await wrong('198.51.100.1', sent++))
      }),
      openLoop(hundred, 1000 * seconds, async () => {
        wrongAnswers.push(await wrong(`203.0.113.${others++ % ADDRESSES}`, others))
      }),
      openLoop(right / seconds, 1000 * seconds, async () => {
        // The load may come to one turn more.
        if (turn === right) return
        const [began, i] = [performance.now(), turn++]
        const { status } = await signIns[i % 3]!(codes[i])
        if (status === 200) ms.push(performance.now() - began)
      }),
    ])
    return {
      right: `${ms.length} of ${turn}`,
      medianMs: fixed(median(ms)),
      longestMs: fixed(Math.max(...ms)),
      wrong: wrongAnswers.length,
      lookedAt: wrongAnswers.filter(status => status === 401).length,
      targets: TARGETS,
    }
  },
})
