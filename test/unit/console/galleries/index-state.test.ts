import { expect, it } from 'vitest'
import { indexState } from '#console/galleries/index-state.ts'

const gallery = { name: 'staff', faces: 9, vectors: 2_000 }

it.each([
  [{ index: 'none', indexed: 0 }, 'exact search'],
  [{ index: 'building', indexed: 0 }, 'index is being built'],
  [{ index: 'ready', indexed: 2_000 }, 'indexed'],
  [{ index: 'ready', indexed: 1_999 }, '99% indexed'],
  [{}, 'vector store unavailable'],
] as const)('the index %o reads as "%s"', (state, expected) => {
  expect(indexState({ ...gallery, ...state })).toBe(expected)
})
