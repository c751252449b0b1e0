/** Subjects of the audit log as lines. */
import { expect, it } from 'vitest'
import { subjectText } from '#console/operator/subject-text.ts'

it.each([
  [{}, ''],
  [{ token: '5f0c1d2e3a4b', next: '4e1b6a0f9c2d' }, 'token 5f0c1d2e3a4b, next 4e1b6a0f9c2d'],
  [{ face: 7, meta: 'changed' }, 'face 7, meta changed'],
  [{ faces: [1, 2], galleries: [] }, 'faces 1 2, galleries –'],
  [{ faces: [1, 2, 3, 4, 5, 6, 7] }, 'faces 1 2 3 4 5 … (7)'],
])('%j is "%s"', (subject, text) => {
  expect(subjectText(subject)).toBe(text)
})
