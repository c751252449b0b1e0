import { expect, it } from 'vitest'
import { visitOf } from '#console/try/samples.ts'

const gallery = (name: string, faces: number) => ({ name, faces })

it.each([
  [[gallery('default', 0)], { isFirst: true, hasSamples: false }],
  [[gallery('default', 0), gallery('staff', 0)], { isFirst: true, hasSamples: false }],
  [[gallery('default', 7), gallery('samples', 7)], { isFirst: true, hasSamples: true }],
  [[gallery('default', 8), gallery('samples', 7)], { isFirst: false, hasSamples: true }],
  [[gallery('default', 1)], { isFirst: false, hasSamples: false }],
])('the galleries %j belong to the visit %o', (galleries, expected) => {
  expect(visitOf(galleries)).toEqual(expected)
})
