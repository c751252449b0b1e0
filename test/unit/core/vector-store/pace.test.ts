/** How work on the side shares a thread with those who keep it busy. */
import { describe, expect, it } from 'vitest'
import { pace } from '../../../../core/vector-store/pace.ts'

function busyFor(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** How often others had the thread while the steps were done, each time for so long. */
async function turnsOfOthers(steps: number, ms: number): Promise<number> {
  let turns = 0
  let isDone = false
  const others = () => {
    if (isDone) return
    turns++
    busyFor(ms)
    setImmediate(others)
  }
  setImmediate(others)
  const rest = pace()
  for (let step = 0; step < steps; step++) {
    busyFor(0.1)
    await rest()
  }
  isDone = true
  return turns
}

describe('a work of many steps', () => {
  it('lets others have the thread after many of them while they hardly need it', async () => {
    expect(await turnsOfOthers(100, 0)).toBeGreaterThan(20)
  })

  it('does several of them at a time while others have the thread for long', async () => {
    // Half of 16 ms is time for 80 steps.
    const turns = await turnsOfOthers(100, 16)
    expect(turns).toBeGreaterThan(1)
    expect(turns).toBeLessThan(50)
  })
})
