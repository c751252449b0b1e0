/** Background work that shares a thread with requests. */
import { pace } from '#core/vector-store/background.ts'

/** Number of turns of other tasks, each of `ms`, during background steps of 0.1 ms. The clock is simulated. */
async function turnsOfOthers(steps: number, ms: number) {
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

describe('pace', () => {
  it('yields after almost each step while other tasks are short', async () => {
    expect(await turnsOfOthers(100, 0)).toBeGreaterThan(90)
  })

  it('runs many steps between yields while other tasks are long', async () => {
    // Half of 16 ms is time for 80 steps.
    const turns = await turnsOfOthers(800, 16)
    expect(turns).toBeGreaterThan(5)
    expect(turns).toBeLessThan(20)
  })
})
