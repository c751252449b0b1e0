/** The words of the audit log. */
import { ACTIONS } from '#console/texts/audit.ts'
import { DECLARATIONS } from '#contract/operations/table.ts'

it('every recorded operation has words', () => {
  const recorded = Object.values(DECLARATIONS).flatMap(({ core }) =>
    core && ('audit' in core || 'views' in core) ? [core.name] : [],
  )
  expect(recorded.length).toBeGreaterThan(30)
  expect(recorded.filter(name => ACTIONS[name] === undefined)).toEqual([])
})
