/** The chart of a cluster's answers. */
import { expect, it } from 'vitest'
import { timeline } from '#bench/lib/cluster/timeline.ts'

const answered = (at: number, status: number) => ({ at, ms: 10, status })

it('timeline draws a bar per second, stacked by kind of answer, and a box for the duration of each fault', () => {
  const tries = [answered(0.5, 200), answered(0.6, 200), answered(0.7, 503), answered(2.5, 0)]
  const svg = timeline(tries, [{ name: 'core1 killed', from: 1, repaired: 3 }])
  const paths = [...svg.matchAll(/<path d="([^"]+)" fill="(#\w+)"/g)].map(([, path, colour]) => [
    colour,
    path,
  ])
  expect(paths).toEqual([
    ['#1ba672', 'M70 280V193.3h1.6V280z'],
    ['#d98218', 'M70 193.3V150h1.6V193.3z'],
    ['#c9483f', 'M73.2 280V236.7h1.6V280z'],
  ])
  expect(svg).toMatch(/<rect x="71.6" y="150" width="3.2"[^>]*>.*>core1 killed</)
})
