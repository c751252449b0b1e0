import { describe, expect, it } from 'vitest'
import { ALL_EVENTS, historyFilter, isWithin, liveFilter } from '#console/events/event-filter.ts'

describe('the filter of events', () => {
  it('has no condition at first', () => {
    expect([liveFilter(ALL_EVENTS), historyFilter(ALL_EVENTS)]).toEqual([{}, {}])
  })

  it('has the names and types of the API', () => {
    const chosen = { ...ALL_EVENTS, camera: 'c', person: '7', gallery: 'staff', friend: 'false' } as const
    const live = { cam_ids: ['c'], person_id: 7, gallery: 'staff', friend: false }
    expect(liveFilter(chosen)).toEqual(live)
    const start = '2026-01-02T03:04'
    expect(historyFilter({ ...chosen, start })).toEqual({ ...live, start: new Date(start).toISOString() })
  })

  it('compares times of the API, which are UTC, with the local times of the form', () => {
    const local = (time: string) => new Date(time).toISOString().replace('Z', '000')
    const chosen = { ...ALL_EVENTS, start: '2026-01-02T03:00', end: '2026-01-02T04:00' }
    const isIn = (time: string) => isWithin({ timestamp: local(time) }, chosen)
    expect(['2026-01-02T02:59:59', '2026-01-02T04:00:01'].map(isIn)).toEqual([false, false])
    expect(['2026-01-02T03:00', '2026-01-02T04:00'].map(isIn)).toEqual([true, true])
    expect(isWithin({ timestamp: '1999-01-01T00:00:00.000000' }, ALL_EVENTS)).toBe(true)
  })
})
