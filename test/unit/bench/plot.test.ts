import { describe, expect, it } from 'vitest'
import { plot } from '#bench/plot.ts'

const drawn = (points: readonly (readonly [number, number])[]) =>
  plot([{ title: 'one', lines: [{ name: 'a line', points }] }], ['across', 'up'])

describe('plot', () => {
  it('scales both axes logarithmically', () => {
    const svg = drawn([
      [10, 1],
      [100, 10],
      [1_000, 100],
    ])
    const dots = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ])
    expect(dots).toHaveLength(3)
    const [[x0, y0], [x1, y1], [x2, y2]] = dots as [[number, number], [number, number], [number, number]]
    expect(x1 - x0).toBe(x2 - x1)
    expect(y0 - y1).toBe(y1 - y2)
    expect(x1).toBeGreaterThan(x0)
    expect(y1).toBeLessThan(y0)
  })

  it('labels its axes, panel and lines', () => {
    const svg = drawn([[10, 1]])
    for (const word of ['across', 'up', 'one', 'a line']) expect(svg).toContain(`>${word}</text>`)
  })

  it('writes shares as percentages, and rates as powers of ten', () => {
    const lines = [{ name: 'a line', points: [[1e-3, 0.5] as const, [1e-1, 1] as const] }]
    const svg = plot([{ title: 'one', lines }], ['across', 'up'], { x: 'powers', y: 'shares' })
    for (const word of ['1e-3', '1e-2', '1e-1', '0 %', '40 %', '100 %'])
      expect(svg).toContain(`>${word}</text>`)
    const [first, second] = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)]
    expect([first![1], second![2]]).toEqual(['0', '0'])
  })
})
