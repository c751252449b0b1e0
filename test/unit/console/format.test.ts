import { formatDate, formatDay, formatNumber } from '#console/format.ts'

describe('formats of the visitor', () => {
  it.each([
    [0.7833, /^0.78$/],
    [0.78999, /^0.78$/],
    [0.29, /^0.29$/],
    [1, /^1.00$/],
  ])('%f is not rounded up', (value, text) => {
    expect(formatNumber(value)).toMatch(text)
  })

  it('reads times without a zone as UTC', () => {
    const utc = formatDate('2026-11-23T05:00:00.000000Z')
    expect(formatDate('2026-11-23T05:00:00.000000')).toBe(utc)
    expect(formatDate('2026-11-23T06:00:00+01:00')).toBe(utc)
    expect(formatDay('2026-11-23T12:00:00')).toContain('2026')
  })
})
