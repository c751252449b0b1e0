/** Whose fault a failed fetch is: told by this machine's state, and never by what the URL names. */
import { describe, expect, it } from 'vitest'
import { isOurFault } from '../../../../core/photos/faults.ts'
import { NoAddress, NoAnswer } from '../../../../core/photos/name-servers.ts'

const failed = (code: string) => Object.assign(new Error(), { code })
const up = async () => true
const down = async () => false

describe('the fault is ours', () => {
  it.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAI_AGAIN'])(
    'when this machine reports %s',
    async code => {
      expect(await isOurFault(failed(code), up)).toBe(true)
      expect(await isOurFault(new AggregateError([failed('ETIMEDOUT'), failed(code)]), up)).toBe(true)
      expect(await isOurFault(new Error('', { cause: failed(code) }), up)).toBe(true)
    },
  )

  it('when a name has no answer and the name servers do not answer anything', async () => {
    expect(await isOurFault(new NoAnswer(), down)).toBe(true)
    expect(await isOurFault(new NoAnswer(), up)).toBe(false)
  })
})

describe("the fault is the caller's", () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EPROTO'])(
    'when their server reports %s',
    async code => {
      expect(await isOurFault(failed(code), down)).toBe(false)
      expect(await isOurFault(new AggregateError([failed(code), failed(code)]), down)).toBe(false)
    },
  )

  it('when the name does not exist, or the address is not public, whatever the name servers do', async () => {
    for (const error of [
      new NoAddress(),
      new Error('not a public address'),
      new DOMException('', 'TimeoutError'),
    ])
      expect(await isOurFault(error, down)).toBe(false)
  })
})
