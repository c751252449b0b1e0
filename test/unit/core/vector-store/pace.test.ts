/** How work on the side shares a thread with those who keep it busy. */
import { describe, expect, it } from 'vitest'
import { pace } from '../../../../core/vector-store/pace.ts'

/** How often other tasks had the thread during so many steps of 0.1 ms, each time for `ms`. The clock is simulated. */
async function turnsOfOthers(steps: number, ms: number): Promise<number> {
  let time = 0
  let turns = 0
  let isDone = false
  const others = () => {
    if (isDone) return
    turns++
    time += ms
    setImmediate(others)
  }
  setImmediate(others)
  const rest = pace(() => time)
  for (let step = 0; step < steps; step++) {
    time += 0.1
    await rest()
  }
  isDone = true
  return turns
}

describe('a work of many steps', () => {
  it('lets others have the thread after many of them while they hardly need it', async () => {
    expect(await turnsOfOthers(100, 0)).toBeGreaterThan(90)
  })

  it('does several of them at a time while others have the thread for long', async () => {
    // Half of 16 ms is time for 80 steps.
    const turns = await turnsOfOthers(800, 16)
    expect(turns).toBeGreaterThan(5)
    expect(turns).toBeLessThan(20)
  })
})
