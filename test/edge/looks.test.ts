/** Looks beside other requests: one at a time, with pauses in which others are heard. */
import { describe, expect, it } from 'vitest'
import { looks } from '../../edge/looks.ts'

const turn = (ms = 0) => new Promise(resolve => setTimeout(resolve, ms))

/** A runtime whose networks say when they run. */
function runtime(ran: string[]) {
  return {
    session: async () => ({
      async run(inputs: Record<string, { dims: readonly number[] }>) {
        ran.push(Object.values(inputs)[0]!.dims.join('x'))
        return {}
      },
    }),
  }
}

const picture = (side: number) => ({ input: { data: new Float32Array(), dims: [1, 3, side, side] } })

describe('looks at photos', () => {
  it('are one at a time, in the order in which they were asked for', async () => {
    const { one } = looks(() => true)
    const events: string[] = []
    const look = (name: string) =>
      one(async () => {
        events.push(`${name} begins`)
        await turn(5)
        events.push(`${name} ends`)
        return name
      })
    expect(await Promise.all(['a', 'b', 'c'].map(look))).toEqual(['a', 'b', 'c'])
    expect(events).toEqual(['a', 'b', 'c'].flatMap(name => [`${name} begins`, `${name} ends`]))
  })

  it('go on after one that failed', async () => {
    const { one } = looks(() => true)
    const failed = one(async () => {
      throw new Error('broken')
    })
    await expect(failed).rejects.toThrow('broken')
    expect(await one(async () => 'seen')).toBe('seen')
  })

  it.each([
    { isBusy: true, when: 'before a large picture and after one, not between small ones', heard: [2, 3] },
    { isBusy: false, when: 'never, where nobody else is there', heard: [] },
  ])('let others be heard $when', async ({ isBusy, heard }) => {
    const ran: string[] = []
    const { one, inPieces } = looks(() => isBusy)
    const network = await inPieces(runtime(ran)).session(new Uint8Array())
    const pauses: number[] = []
    let looking = true
    const others = async () => {
      for (let last = -1; looking; await turn()) {
        if (ran.length > 0 && ran.length !== last) pauses.push(ran.length)
        last = ran.length
      }
    }
    const listening = others()
    await one(async () => {
      for (const side of [64, 64, 160, 112]) await network.run(picture(side))
      looking = false
    })
    await listening
    expect(ran).toHaveLength(4)
    expect(pauses.filter(count => count < 4)).toEqual(heard)
  })
})
