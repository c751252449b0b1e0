/** Network links between hosts on one machine: a cut link loses packets silently, in the given directions. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, describe, expect, it } from 'vitest'
import { canMakeNetwork, type Host, type Loss, makeNetwork } from '#bench/lib/cluster/network.ts'

const isMade = canMakeNetwork()
const network = isMade ? makeNetwork({ prefix: 'mt-', subnet: '198.18.8' }) : undefined
afterAll(() => network?.remove())

/** Connects to a closed port; true when the host refuses it, false when nothing comes back. */
async function reaches(from: Host, to: Host): Promise<boolean> {
  const script = `
    const socket = require('node:net').connect(9, '${to.address}')
    socket.on('error', ({ code }) => process.exit(code === 'ECONNREFUSED' ? 0 : 1))
    setTimeout(() => process.exit(1), 700)`
  const asked = spawn('ip', ['netns', 'exec', from.namespace, process.execPath, '-e', script])
  const [code] = await once(asked, 'exit')
  return code === 0
}

describe.skipIf(!isMade)('makeNetwork', { tags: 'network' }, () => {
  const [a, b, c] = ['a', 'b', 'c'].map(name => network?.host(name)) as [Host, Host, Host]

  it.each<[Loss]>([['both ways'], ['to'], ['from']])(
    'drops all packets of a cut link and no others: %s',
    async loss => {
      expect(await reaches(a, b)).toBe(true)
      const mend = network!.cut(a, b, loss)
      expect(await Promise.all([reaches(a, b), reaches(b, a)])).toEqual([false, false])
      expect(await Promise.all([reaches(a, c), reaches(c, b)])).toEqual([true, true])
      mend()
      expect(await Promise.all([reaches(a, b), reaches(b, a)])).toEqual([true, true])
    },
  )
})
