/** The sentences of the audit log. */
import { expect, it } from 'vitest'
import { ACTIONS, entryText } from '#console/texts/audit.ts'
import { DECLARATIONS } from '#contract/operations/table.ts'

it('every recorded operation has words', () => {
  const recorded = Object.values(DECLARATIONS).flatMap(({ core }) =>
    core && ('audit' in core || 'views' in core) ? [core.name] : [],
  )
  expect(recorded.length).toBeGreaterThan(30)
  expect(recorded.filter(name => ACTIONS[name] === undefined)).toEqual([])
})

it('an entry says who did what', () => {
  expect(entryText('user 8a1f Ben Okri', 'token.revoke')).toBe('Ben Okri revoked a token')
  expect(entryText('token 5f0c1d2e3a4b', 'identify')).toBe('Token 5f0c1d2e3a4b searched for somebody')
  expect(entryText('service', 'alert.gone')).toMatch(/^The service turned an alert rule off/)
  expect(entryText('operator', 'later.thing')).toBe('The operator later.thing')
})
