/** Turns: in order for one owner, beside each other for two, and not stopped by a failure. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { localOwnerLock } from '../../../../../core/operations/consistency/owner-lock.ts'

it('run one after the other for one owner, in the order asked', async () => {
  const inTurn = localOwnerLock()
  const log: string[] = []
  const work = (name: string, ms: number) => async () => {
    log.push(`${name} begins`)
    await pause(ms)
    log.push(`${name} ends`)
    return name
  }
  const all = Promise.all([inTurn('o', work('a', 20)), inTurn('o', work('b', 5)), inTurn('o', work('c', 0))])
  expect(await all).toEqual(['a', 'b', 'c'])
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

it('do not make one owner wait for another', async () => {
  const inTurn = localOwnerLock()
  const never = inTurn('slow', () => new Promise(() => {}))
  expect(await inTurn('quick', async () => 1)).toBe(1)
  expect(await Promise.race([never, pause(1, 'still waiting')])).toBe('still waiting')
})

it('go on after a failure, which is told to the one who asked', async () => {
  const inTurn = localOwnerLock()
  const failing = inTurn('o', () => Promise.reject(new Error('no')))
  const next = inTurn('o', async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})
