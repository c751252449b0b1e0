/** Cause of a failed fetch: this machine or the URL. Only the state of this machine decides. */
import { describe, expect, it } from 'vitest'
import { isOurFault, NoAnswer } from '#core/network/name-servers.ts'

const failed = (code: string) => Object.assign(new Error(), { code })
const up = async () => true
const down = async () => false

describe('isOurFault for faults of this machine', () => {
  it.each(['EMFILE', 'EAI_AGAIN'])('is true for %s', async code => {
    expect(await isOurFault(failed(code), up)).toBe(true)
    expect(await isOurFault(new AggregateError([failed('ETIMEDOUT'), failed(code)]), up)).toBe(true)
    expect(await isOurFault(new Error('', { cause: failed(code) }), up)).toBe(true)
  })

  it('is true for a name without an answer, if the name servers answer nothing at all', async () => {
    expect(await isOurFault(new NoAnswer(), down)).toBe(true)
    expect(await isOurFault(new NoAnswer(), up)).toBe(false)
  })
})

describe('isOurFault for faults of the URL', () => {
  it.each(['ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND'])('is false for %s of the photo server', async code => {
    expect(await isOurFault(failed(code), down)).toBe(false)
    expect(await isOurFault(new AggregateError([failed(code), failed(code)]), down)).toBe(false)
  })
})
