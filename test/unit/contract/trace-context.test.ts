/** The header `traceparent`: its parts, and what is no such header. */
import { expect, it } from 'vitest'
import { traceContextOf, traceIdOf } from '#contract/trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

it.each([
  ['02', false],
  ['03', true],
])('is sampled with the flags %s: %s', (flags, isSampled) => {
  expect(traceContextOf(`00-${TRACE}-${PARENT}-${flags}`)).toEqual({
    traceId: TRACE,
    spanId: PARENT,
    isSampled,
  })
})

it.each([
  [undefined],
  [`01-${TRACE}-${PARENT}-01`],
  [`00-${TRACE.toUpperCase()}-${PARENT}-01`],
  [`00-${'0'.repeat(32)}-${PARENT}-01`],
  [`00-${TRACE}-${'0'.repeat(16)}-01`],
  [`00-${TRACE}-${PARENT}-01-more`],
])('is not %s', header => {
  expect(traceIdOf(header)).toBeUndefined()
})
