/** Settings of the service that change while it runs: whether new faces get persons, and whether searches are recorded. */
import type { ServiceSettings, SettingsChange } from '../../clients/typescript/src/index.ts'
import { CheckField, InputField } from '../components/fields.tsx'
import { SaveFormEnd, useSaveForm } from '../components/save-form.tsx'
import { Loaded } from '../components/state.tsx'
import { Facts } from '../components/table.tsx'
import { useClient } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

type Settings = ServiceSettings['settings']

type Shown = (Settings[number] & { name: Name })[]

type Name = keyof typeof TEXTS.personSettings.names

const PERSONS: readonly Name[] = ['person_identify', 'person_identify_global', 'person_identify_threshold']

export const SearchRecordSettings = () => <SomeSettings names={['record_searches']} />

export const PersonSettings = () => (
  <>
    <p class="lead">{TEXTS.personSettings.intro}</p>
    <SomeSettings names={PERSONS} />
    <p class="hint">
      {TEXTS.personSettings.existing} <a href={hashOf({ page: 'persons' })}>{TEXTS.personSettings.group}</a>
    </p>
  </>
)

/** A form with the settings of these names. */
function SomeSettings({ names }: { names: readonly Name[] }) {
  const client = useClient()
  const task = useTask(signal => client.service.settings({ signal }), [])
  const texts = TEXTS.personSettings
  const shownOf = (settings: Settings) =>
    settings.flatMap(({ name, ...setting }) => {
      const shown = names.find(known => known === name)
      return shown ? [{ name: shown, ...setting }] : []
    })
  return (
    <Loaded task={task}>
      {state =>
        state.fixed_by ? (
          <section class="card stack">
            <p>{texts.shared}</p>
            <Facts
              class="facts"
              facts={shownOf(state.settings).map(({ name, value }) => [
                texts.names[name],
                texts.value(value),
              ])}
            />
          </section>
        ) : (
          <SettingsForm settings={shownOf(state.settings)} onSaved={task.reload} />
        )
      }
    </Loaded>
  )
}

interface FormProperties {
  settings: Shown
  onSaved: () => void
}

function SettingsForm({ settings, onSaved }: FormProperties) {
  const client = useClient()
  const texts = TEXTS.personSettings
  const changed = settings.filter(({ origin }) => origin === 'setting')
  const { action, attributes } = useSaveForm({
    read: fields => changeOf(settings, fields),
    async save(change) {
      await client.service.changeSettings(change)
      onSaved()
    },
  })
  const reset = () =>
    void action.run(async () => {
      await client.service.changeSettings({ reset: changed.map(({ name }) => name) })
      onSaved()
    })
  // The key gives the fields the stored values after a change of them.
  return (
    <form class="card stack" key={JSON.stringify(settings)} {...attributes}>
      {settings.map(({ name, value }) =>
        typeof value === 'boolean' ? (
          <div key={name} class="stack tight">
            <CheckField label={texts.names[name]} name={name} defaultChecked={value} />
            <p class="hint">{texts.hints[name]}</p>
          </div>
        ) : (
          <InputField
            key={name}
            label={texts.names[name]}
            hint={texts.hints[name]}
            name={name}
            inputMode="decimal"
            defaultValue={value ?? ''}
          />
        ),
      )}
      <p class="hint">{texts.origin(changed.length > 0)}</p>
      {changed.length > 0 && (
        <button type="button" class="quiet" disabled={action.isRunning} onClick={reset}>
          {texts.reset}
        </button>
      )}
      <SaveFormEnd action={action} />
    </form>
  )
}

/** The settings whose fields differ from the stored values; a returned text describes a mistake. */
function changeOf(
  settings: Pick<Settings[number], 'name' | 'value'>[],
  fields: FormData,
): SettingsChange | string {
  const typed = settings.map(({ name, value }) => {
    const text = fields.get(name)
    if (typeof value === 'boolean') return { name, value, chosen: text !== null }
    return { name, value, chosen: String(text).trim() === '' ? null : Number(text) }
  })
  if (typed.some(({ chosen }) => typeof chosen === 'number' && !(chosen >= 0 && chosen <= 1)))
    return TEXTS.personSettings.invalid
  return Object.fromEntries(
    typed.filter(({ value, chosen }) => value !== chosen).map(({ name, chosen }) => [name, chosen ?? 'off']),
  )
}
