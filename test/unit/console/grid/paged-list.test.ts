import { Pages } from '#clients/typescript/src/index.ts'
import { type AskedList, PagedList, ITEMS_PER_PAGE as SIZE } from '#console/grid/paged-list.ts'
import { times } from '#test/support/times.ts'

/** A list of this many items, with the cursors of its loads. Ids fall from `count` to 1. */
function listOf(count: number, before?: PagedList<{ id: number }>) {
  const loads: number[] = []
  const asked: AskedList<{ id: number }> = ({ max_id = count + 1 }) => {
    loads.push(max_id)
    const length = Math.min(SIZE, max_id - 1)
    return new Pages(async () => ({ results: times(length, i => ({ id: max_id - 1 - i })) }))
  }
  return { list: new PagedList(asked, undefined, before), loads }
}

describe('a paged list', () => {
  it('keeps a few pages of 100,000 items, and loads forgotten ones again', async () => {
    const { list, loads } = listOf(100_000)
    let most = 0
    for (let first = 0; first < 100_000; first += SIZE) {
      await list.show(first, first + SIZE - 1)
      most = Math.max(most, list.loaded)
    }
    expect(most).toBeLessThanOrEqual(6 * SIZE)
    expect(list.length).toBe(100_000)
    expect(list.at(0)).toBeUndefined()
    loads.length = 0
    await list.show(50_000, 50_010)
    expect(list.at(50_000)).toEqual({ id: 50_000 })
    expect(loads).toEqual([50_021])
  })

  it('begins where an earlier one ended, and shows items that have come since', async () => {
    const { list: before } = listOf(1_000)
    await before.show(300, 310)
    before.close()
    expect(before.loaded).toBe(0)
    const { list, loads } = listOf(1_100, before)
    expect(list.length).toBe(before.length)
    await list.show(300, 310)
    expect(list.at(300)).toEqual({ id: 700 })
    expect(loads).toEqual([701])
    await list.show(0, 130)
    expect([0, 60, 130].map(i => list.at(i)?.id)).toEqual([1_100, 1_040, 970])
  })

  it('serves the places that are shown when a load ends', async () => {
    const { list, loads } = listOf(1_000)
    const first = list.show(0, 10)
    await Promise.all([first, list.show(70, 130)])
    expect(loads).toHaveLength(3)
    expect(list.at(130)).toEqual({ id: 870 })
  })
})
