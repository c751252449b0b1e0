/** Conditions of rules between the form, the API and the list. */
import { FPIRS, hostOf, hoursOf, parametersOf } from '#console/alerts/conditions.ts'
import { SEARCH_LIMITS } from '#contract/limits/faces.ts'

const formWith = (fields: Record<string, string>) => {
  const form = new FormData()
  const all = {
    name: ' door ',
    match: 'threshold 0.7834',
    time_zone: 'UTC',
    cooldown_seconds: '0',
    ...fields,
  }
  for (const [name, value] of Object.entries(all)) form.set(name, value)
  return form
}

const NIGHT = { days: ['sun', 'mon'], from: '18:00', to: '06:00' }

it('incomplete hours are named', () => {
  expect(parametersOf(formWith({}), [{ ...NIGHT, days: [] }])).toContain('Hours')
  expect(hoursOf([{ ...NIGHT, to: '' }])).toBeUndefined()
})

it('people are sent as numbers, those that a rule is about and those that it leaves out', () => {
  const lists = { person_ids: [7, 12], except_person_ids: [8] }
  expect(parametersOf(formWith({ person_ids: '7, 12', except_person_ids: '8' }), [])).toMatchObject(lists)
  expect(parametersOf(formWith({ person_ids: '' }), [])).toMatchObject({ person_ids: undefined })
})

it('a match is sent as a threshold or as a share of strangers', () => {
  expect(parametersOf(formWith({}), [])).toMatchObject({ threshold: 0.7834 })
  expect(parametersOf(formWith({ match: `fpir ${FPIRS.certain}` }), [])).toMatchObject({ fpir: 0.001 })
  expect(FPIRS).toEqual({ certain: SEARCH_LIMITS.certainFpir, probable: SEARCH_LIMITS.probableFpir })
})

it('a least quality is sent as a number', () => {
  expect(parametersOf(formWith({ min_quality: '0.5' }), [])).toMatchObject({ min_quality: 0.5 })
  expect(parametersOf(formWith({ min_quality: '' }), [])).toMatchObject({ min_quality: undefined })
})

it('the path of a webhook is not shown', () => {
  expect(hostOf('https://receiver.example:8443/secret?key=anna')).toBe('receiver.example:8443')
})
