/** Conditions of rules between the form, the API and the list. */
import { expect, it } from 'vitest'
import type { Alert } from '#clients/typescript/src/index.ts'
import {
  conditionLines,
  hostOf,
  hoursOf,
  parametersOf,
  personsIn,
  settingsOf,
} from '#console/alerts/conditions.ts'

const RULE: Alert = {
  id: 'a'.repeat(32),
  url: '',
  name: 'door',
  enabled: true,
  threshold: 0.7834,
  time_zone: 'UTC',
  cooldown_seconds: 0,
  created: '2026-11-22T09:57:24.539000',
}

const formWith = (fields: Record<string, string>): FormData => {
  const form = new FormData()
  const all = { name: ' door ', threshold: '0.7834', time_zone: 'UTC', cooldown_seconds: '0', ...fields }
  for (const [name, value] of Object.entries(all)) form.set(name, value)
  return form
}

const NIGHT = { days: ['sun', 'mon'], from: '18:00', to: '06:00' }

it('the fields of an empty form are no conditions', () => {
  const { id: _, created: __, ...settings } = { ...RULE, enabled: false }
  expect(
    parametersOf(formWith({ url: '', gallery: '', unknown: '', friend: '', person_ids: ' ' }), []),
  ).toEqual(settings)
})

it('the fields of a form are the settings that the API takes', () => {
  const form = formWith({
    url: 'https://receiver.example',
    gallery: 'staff',
    unknown: 'true',
    friend: 'false',
  })
  form.set('enabled', 'on')
  form.set('person_ids', '7, 12')
  form.append('cam_ids', 'b'.repeat(32))
  form.append('cam_ids', 'c'.repeat(32))
  expect(parametersOf(form, [NIGHT])).toEqual({
    ...settingsOf(RULE),
    url: 'https://receiver.example',
    gallery: 'staff',
    unknown: true,
    friend: false,
    person_ids: [7, 12],
    cam_ids: ['b'.repeat(32), 'c'.repeat(32)],
    hours: [{ ...NIGHT, days: ['mon', 'sun'] }],
  })
})

it('wrong persons and incomplete hours are named', () => {
  expect(parametersOf(formWith({ person_ids: '7, Ann' }), [])).toContain('Ids of persons')
  expect(parametersOf(formWith({}), [{ ...NIGHT, days: [] }])).toContain('Hours')
  expect(hoursOf([{ ...NIGHT, to: '' }])).toBeUndefined()
  expect(personsIn('1 2,3')).toEqual([1, 2, 3])
})

it('a rule has a line for each condition', () => {
  expect(conditionLines(RULE, String)).toEqual(['Every face of a camera'])
  const rule: Alert = {
    ...RULE,
    ...{
      cam_ids: ['b'],
      person_ids: [7],
      gallery: 'staff',
      unknown: true,
      friend: true,
      cooldown_seconds: 60,
    },
    hours: [{ days: ['mon', 'tue'], from: '18:00', to: '06:00' }],
  }
  expect(conditionLines(rule, id => `camera ${id}`)).toEqual([
    'Cameras: camera b',
    'Persons: 7',
    'No match in the gallery staff',
    'Friends only',
    expect.stringMatching(/^Mon Tue 6:00\sPM – 6:00\sAM \(UTC\)$/),
    'Once in 60 s for each person',
  ])
  expect(conditionLines({ ...RULE, unknown: true }, String)).toEqual(['First face of a person'])
})

it('the path of a webhook is not shown', () => {
  expect(hostOf('https://receiver.example:8443/secret?key=anna')).toBe('receiver.example:8443')
})
