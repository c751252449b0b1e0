import { type HistoryEvent, Pages } from '#clients/typescript/src/index.ts'
import { ALL_EVENTS, EventList, eventIn, isWithin, queryOf, readChosen } from '#console/events/event-list.ts'
import { ITEMS_PER_PAGE } from '#console/grid/paged-list.ts'
import { times } from '#test/support/times.ts'

const event = (id: number): HistoryEvent => ({
  id,
  friend: false,
  meta: '',
  photo_hash: '',
  photo: '',
  cam_id: '',
  timestamp: '',
  x1: 0,
  y1: 0,
  x2: 1,
  y2: 1,
})

/** A list over a history with these ids. */
async function opened(...ids: number[]) {
  const list = new EventList(() => new Pages(async () => ({ results: ids.map(event) })))
  await list.show(0, 10)
  return list
}

const idsIn = (list: EventList) => times(list.length, i => list.at(i)?.id)

describe('the list of events', () => {
  it('shows no event twice', async () => {
    const list = await opened(2, 1)
    for (const isShown of [true, false]) for (const id of [2, 3, 3]) list.add(event(id), isShown)
    expect([idsIn(list), list.waiting]).toEqual([[3, 2, 1], 0])
  })

  it('shows an event with the data of its better picture', async () => {
    const list = await opened(2, 1)
    list.add(event(3), true)
    for (const id of [3, 1]) list.add({ ...event(id), meta: 'Ann', updated: true }, true)
    expect([idsIn(list), list.at(0)?.meta, list.at(1)?.meta, list.at(2)?.meta]).toEqual([
      [3, 2, 1],
      'Ann',
      '',
      'Ann',
    ])
  })

  it('leaves new events to a history that was loaded after they arrived', async () => {
    const list = new EventList(() => new Pages(async () => ({ results: [event(2), event(1)] })))
    list.add(event(2), true)
    list.add(event(3), true)
    expect(await list.show(0, 10)).toBe(true)
    expect(list.isComplete).toBe(true)
    expect(idsIn(list)).toEqual([3, 2, 1])
  })

  it('keeps a bounded number of new events, and counts all', async () => {
    const list = await opened()
    for (let id = 1; id <= 1_000; id++) list.add(event(id), false)
    expect([list.waiting, list.isOverfull]).toEqual([1_000, true])
    list.showWaiting()
    expect(list.length).toBe(300)
  })
})

describe('the events of people to ignore', () => {
  /** A list whose history has these ids in pages; every third one is to be ignored. */
  const historyOf = (count: number, onFold?: () => void) =>
    new EventList(({ max_id = count + 1 }) => {
      const ids = times(Math.min(ITEMS_PER_PAGE, max_id - 1), i => max_id - 1 - i)
      return new Pages(async () => ({ results: ids.map(id => ({ ...event(id), silent: id % 3 === 0 })) }))
    }, onFold)

  it('are left out, and counted once', async () => {
    let folds = 0
    const list = historyOf(150, () => folds++)
    await list.show(0, 200)
    expect([list.length, list.folded.size, folds, list.isComplete]).toEqual([100, 50, 50, true])
    expect(idsIn(list).slice(0, 4)).toEqual([149, 148, 146, 145])
    for (const id of [150, 153]) list.add({ ...event(id), silent: true }, true)
    expect([list.length, list.folded.size]).toEqual([100, 51])
    list.add({ ...event(153), updated: true }, true)
    expect([list.at(0)?.id, list.folded.size]).toEqual([153, 50])
  })

  it('are shown when they are not folded', async () => {
    const list = historyOf(3)
    await list.show(0, 10)
    list.add({ ...event(6), silent: true }, true)
    expect([idsIn(list), list.folded.size]).toEqual([[6, 3, 2, 1], 0])
  })
})

it('the filter of events compares times of the API, which are UTC, with the local times of the form', () => {
  const local = (time: string) => new Date(time).toISOString().replace('Z', '000')
  const chosen = { ...ALL_EVENTS, start: '2026-01-02T03:00', end: '2026-01-02T04:00' }
  const isIn = (time: string) => isWithin({ timestamp: local(time) }, chosen)
  expect(['2026-01-02T02:59:59', '2026-01-02T04:00:01'].map(isIn)).toEqual([false, false])
  expect(['2026-01-02T03:00', '2026-01-02T04:00'].map(isIn)).toEqual([true, true])
  expect(isWithin({ timestamp: '1999-01-01T00:00:00.000000' }, ALL_EVENTS)).toBe(true)
})

it('an address keeps the filter and the opened event, and conditions that are none are left out', () => {
  const chosen = {
    ...ALL_EVENTS,
    camera: 'a b',
    person: '7',
    friend: 'true' as const,
    start: '2026-01-02T00:00',
  }
  const query = queryOf(chosen, 5)
  expect([readChosen(query), eventIn(query)]).toEqual([chosen, 5])
  expect([readChosen('person=x&friend=2&start=soon&end=-'), eventIn('event=x')]).toEqual([
    ALL_EVENTS,
    undefined,
  ])
})
