/** The lock of an owner: work runs in order for one owner, concurrently for two, and after a failure. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { localOwnerLock } from '#core/operations/consistency/owner-lock.ts'

it('localOwnerLock runs the work of one owner sequentially, in order of request', async () => {
  const withLock = localOwnerLock()
  const log: string[] = []
  const work = (name: string, ms: number) => async () => {
    log.push(`${name} begins`)
    await pause(ms)
    log.push(`${name} ends`)
    return name
  }
  const all = Promise.all([
    withLock('o', work('a', 20)),
    withLock('o', work('b', 5)),
    withLock('o', work('c', 0)),
  ])
  expect(await all).toEqual(['a', 'b', 'c'])
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

it('localOwnerLock does not make one owner wait for another', async () => {
  const withLock = localOwnerLock()
  const never = withLock('slow', () => new Promise(() => {}))
  expect(await withLock('quick', async () => 1)).toBe(1)
  expect(await Promise.race([never, pause(1, 'still waiting')])).toBe('still waiting')
})

it('localOwnerLock rejects failed work, and runs the next', async () => {
  const withLock = localOwnerLock()
  const failing = withLock('o', () => Promise.reject(new Error('no')))
  const next = withLock('o', async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
})
