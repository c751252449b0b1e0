import { describe, expect, it } from 'vitest'
import { type LoadPage, PagedList } from '#console/grid/paged-list.ts'

const SIZE = 50

interface Item {
  id: number
}

/** A list of this many items, with the cursors of its loads. Ids fall from `count` to 1. */
function listOf(count: number) {
  const loads: (number | undefined)[] = []
  const load: LoadPage<Item> = async after => {
    loads.push(after)
    const first = (after ?? count + 1) - 1
    const items = Array.from({ length: Math.max(0, Math.min(SIZE, first)) }, (_, i) => ({ id: first - i }))
    return { items, isLast: items.length < SIZE }
  }
  return { list: new PagedList<Item>(load), loads }
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
    expect(loads).toEqual([50_001])
  })

  it('serves the places that are shown when a load ends', async () => {
    const { list, loads } = listOf(1_000)
    const first = list.show(0, 10)
    await Promise.all([first, list.show(60, 110)])
    expect(loads).toHaveLength(3)
    expect(list.at(110)).toEqual({ id: 890 })
  })
})
