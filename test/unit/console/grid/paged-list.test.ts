import { Pages } from '#clients/typescript/src/index.ts'
import { PagedList, PAGE_SIZE as SIZE } from '#console/grid/paged-list.ts'

/** A list of this many items, with the cursors of its loads. Ids fall from `count` to 1. */
function listOf(count: number) {
  const loads: number[] = []
  const list = new PagedList(({ max_id = count + 1 }) => {
    loads.push(max_id)
    const length = Math.min(SIZE, max_id - 1)
    return new Pages(async () => ({ results: Array.from({ length }, (_, i) => ({ id: max_id - 1 - i })) }))
  })
  return { list, loads }
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

  it('serves the places that are shown when a load ends', async () => {
    const { list, loads } = listOf(1_000)
    const first = list.show(0, 10)
    await Promise.all([first, list.show(70, 130)])
    expect(loads).toHaveLength(3)
    expect(list.at(130)).toEqual({ id: 870 })
  })
})
