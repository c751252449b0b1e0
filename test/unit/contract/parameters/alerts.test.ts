/** Parameters of alert rules: whatever is sent, the settings are valid or a parameter is refused. */
import fc from 'fast-check'
import * as z from 'zod'
import { AlertSettingsSchema } from '#contract/model/alert.ts'
import { alertParameters, alertSettings } from '#contract/parameters/alerts.ts'

const Parameters = z.object(alertParameters)
const NIGHT = { days: ['mon', 'sun'], from: '18:00', to: '06:00' }
const URL = 'https://receiver.example/'

const parsed = (given: Record<string, unknown>) => alertSettings(Parameters.parse({ url: URL, ...given }))

describe('the settings of a rule', () => {
  it('have defaults, and no conditions', () => {
    expect(parsed({})).toEqual({
      url: URL,
      name: '',
      enabled: true,
      threshold: parsed({}).threshold,
      time_zone: 'UTC',
      cooldown_seconds: 0,
    })
  })

  it.each([[[NIGHT]], [NIGHT], [JSON.stringify([NIGHT])], [JSON.stringify(NIGHT)]])(
    'take hours as %j',
    hours => {
      expect(parsed({ hours }).hours).toEqual([NIGHT])
    },
  )

  it.each([
    { ...NIGHT, from: '24:00' },
    { ...NIGHT, to: '6:00' },
    { ...NIGHT, days: [] },
    { ...NIGHT, days: ['someday'] },
    { ...NIGHT, more: 1 },
    'night',
    [[]],
  ])('refuse hours like %j', hours => {
    expect(Parameters.safeParse({ url: URL, hours }).error?.issues[0]?.path).toEqual(['hours'])
  })

  it('take an empty list of cameras as no condition', () => {
    expect(parsed({ cam_ids: [] })).toEqual(parsed({}))
  })

  it('are valid, whatever is sent', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>('true', 7, '7', [NIGHT], { ...NIGHT, to: 7 }, 'none', 'UTC', ['7'], 'staff'),
    )
    const names = Object.keys(alertParameters).filter(name => name !== 'url')
    const given = fc.record(Object.fromEntries(names.map(name => [name, value])), { requiredKeys: [] })
    fc.assert(
      fc.property(given, params => {
        const { success, data } = Parameters.safeParse({ url: URL, ...params })
        if (success) AlertSettingsSchema.parse(alertSettings(data))
      }),
      { numRuns: 200 },
    )
  })
})
