import { describe, expect, it } from 'vitest'
import {
  formatClock,
  formatDate,
  formatDay,
  formatNumber,
  formatPercent,
  formatSubject,
  formatThreshold,
  formatTime,
} from '#console/format.ts'
import { TEXTS } from '#console/texts.ts'

describe('formats of the visitor', () => {
  it.each([
    [0.7833, /^0.78$/],
    [0.78999, /^0.78$/],
    [0.29, /^0.29$/],
    [1, /^1.00$/],
  ])('%f is not rounded up', (value, text) => {
    expect(formatNumber(value)).toMatch(text)
  })

  it('has all decimals of a threshold, and two of a percentage', () => {
    expect(formatThreshold(0.6616)).toMatch(/^0.6616$/)
    expect(formatPercent(0.96734)).toMatch(/^96.73\s?%$/)
  })

  it('reads times without a zone as UTC', () => {
    const utc = formatDate('2026-11-23T05:00:00.000000Z')
    expect(formatDate('2026-11-23T05:00:00.000000')).toBe(utc)
    expect(formatDate('2026-11-23T06:00:00+01:00')).toBe(utc)
    expect(formatDay('2026-11-23T12:00:00')).toContain('2026')
  })

  it('has one format of days and one of times', () => {
    const time = '2026-11-23T12:00:00'
    expect(formatDate(time)).toContain(formatDay(time))
    expect(formatDate(time)).toContain(formatTime(time))
    expect(formatClock('18:00')).toMatch(/^(6:00\sPM|18:00)$/)
  })

  it('returns other texts as they are', () => {
    expect(formatDate('some day')).toBe('some day')
  })
})

it.each([
  [{}, ''],
  [{ token: '5f0c1d2e3a4b', next: '4e1b6a0f9c2d' }, 'token 5f0c1d2e3a4b, next 4e1b6a0f9c2d'],
  [{ face: 7, meta: 'changed' }, 'face 7, meta changed'],
  [{ faces: [1, 2], galleries: [] }, 'faces 1 2, galleries –'],
  [{ faces: [1, 2, 3, 4, 5, 6, 7] }, 'faces 1 2 3 4 5 … (7)'],
])('the subject %j of an audited change is "%s"', (subject, text) => {
  expect(formatSubject(subject)).toBe(text)
})

const gallery = { name: 'staff', faces: 9, vectors: 2_000 }

it.each([
  [{ index: 'none', indexed: 0 }, 'exact search'],
  [{ index: 'building', indexed: 0 }, 'index is being built'],
  [{ index: 'ready', indexed: 2_000 }, 'indexed'],
  [{ index: 'ready', indexed: 1_999 }, '99% indexed'],
  [{}, 'vector store unavailable'],
] as const)('the index %o reads as "%s"', (state, expected) => {
  expect(TEXTS.galleries.index({ ...gallery, ...state })).toBe(expected)
})
