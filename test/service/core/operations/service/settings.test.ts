/** Settings that change while the service runs: where they come from, who may change them, and that all cores follow. */
import { eq } from 'drizzle-orm'
import { DEFAULT_OPTIONS } from '#core/configuration/options.ts'
import { settings } from '#core/metadata/persons/schema.ts'
import { owners } from '#core/metadata/schema.ts'
import { evidenceHandlers } from '#core/operations/events/evidence-export.ts'
import { requestBackup } from '#core/operations/service/service-state.ts'
import { openSettings } from '#core/operations/service/settings.ts'
import { FACE, OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { emptyWorld, enrolFace, it } from '../world.ts'

const initial = {
  options: { ...DEFAULT_OPTIONS, person_identify_threshold: 0.8, person_identify_global: true },
  origins: { person_identify_threshold: 'file', person_identify_global: 'environment' },
} as const

it('a change wins over the initial values, reaches other cores, and can be reset', async ({ world }) => {
  const live = await openSettings(world.database, initial)
  const other = await openSettings(world.database, { options: DEFAULT_OPTIONS, origins: {} })
  const following = other.follow(() => {}, 10)
  onTestFinished(() => following.stop())
  await expect(live.update({ person_identify: true }, [])).toBeRefused('FORBIDDEN')
  const unchanged = await live.update({ person_identify: false }, ['person_identify_threshold'])
  expect(unchanged.fixed_by).toBe('owners')

  await world.database.delete(owners).where(eq(owners.id, OTHER_OWNER))
  const services = { ...world, options: other.options }
  expect(await enrolFace(services, FACE)).not.toHaveProperty('person_id')
  const changed = await live.update({ person_identify: true, person_identify_threshold: 0.9 }, [])
  expect(changed.settings[0]).toEqual({
    name: 'person_identify',
    value: true,
    origin: 'setting',
    initial: false,
  })
  await expect
    .poll(() => other.options)
    .toMatchObject({ person_identify: true, person_identify_threshold: 0.9 })
  expect(await enrolFace(services, FACE)).toMatchObject({ person_id: 1 })
  await live.update({}, ['person_identify_threshold', 'person_identify'])
  expect(live.options).toEqual(initial.options)
  await expect.poll(() => other.options).toEqual(DEFAULT_OPTIONS)
})

it('one of several owners asks for no backup, and makes no key of evidence', async ({ world }) => {
  const changes = [
    () => requestBackup(world, { hasBackupPlace: true }),
    () => evidenceHandlers['evidence.key'](world, { owner: OWNER, by: TOKEN }),
  ]
  for (const change of changes) await expect(change()).toBeRefused('FORBIDDEN')
  await world.database.delete(owners).where(eq(owners.id, OTHER_OWNER))
  for (const change of changes) await change()
})

it('ignores settings of a later version', async () => {
  const { database } = await emptyWorld()
  await database.insert(settings).values([
    { name: 'person_identify_threshold', value: 'high' },
    { name: 'toString', value: true },
    { name: 'person_identify', value: true },
  ])
  expect((await openSettings(database, initial)).options).toEqual({
    ...initial.options,
    person_identify: true,
  })
})
