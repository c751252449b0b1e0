/** Whether new faces get persons, and how: settings of the service that change while it runs. */
import type { ServiceSettings, SettingsChange } from '../../clients/typescript/src/index.ts'
import { CheckField, InputField } from '../components/fields.tsx'
import { SaveFormEnd, useSaveForm } from '../components/save-form.tsx'
import { Loaded } from '../components/state.tsx'
import { Facts } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

export function PersonSettings() {
  const { client } = useService()
  const task = useTask(signal => client.service.settings({ signal }), [])
  const texts = TEXTS.personSettings
  return (
    <>
      <p class="lead">{texts.intro}</p>
      <Loaded task={task}>
        {state =>
          state.fixed_by ? (
            <section class="card stack">
              <p>{texts.shared}</p>
              <Facts
                class="facts"
                facts={state.settings.map(({ name, value }) => [texts.names[name], texts.value(value)])}
              />
            </section>
          ) : (
            <SettingsForm state={state} onSaved={task.reload} />
          )
        }
      </Loaded>
      <p class="hint">
        {texts.existing} <a href={hashOf({ page: 'persons' })}>{texts.group}</a>
      </p>
    </>
  )
}

interface FormProperties {
  state: ServiceSettings
  onSaved: () => void
}

function SettingsForm({ state: { settings }, onSaved }: FormProperties) {
  const { client } = useService()
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
            defaultValue={String(value)}
          />
        ),
      )}
      <p class="hint">{texts.origin(changed.length > 0)}</p>
      {changed.length > 0 && (
        <div>
          <button type="button" class="quiet" disabled={action.isRunning} onClick={reset}>
            {texts.reset}
          </button>
        </div>
      )}
      <SaveFormEnd action={action} />
    </form>
  )
}

/** The settings whose fields differ from the stored values; a text says what is wrong. */
export function changeOf(settings: ServiceSettings['settings'], fields: FormData): SettingsChange | string {
  const typed = settings.map(({ name, value }) => {
    const text = fields.get(name)
    if (typeof value === 'boolean') return { name, value, chosen: text !== null }
    return { name, value, chosen: String(text).trim() === '' ? Number.NaN : Number(text) }
  })
  if (typed.some(({ chosen }) => typeof chosen === 'number' && !(chosen >= 0 && chosen <= 1)))
    return TEXTS.personSettings.invalid
  return Object.fromEntries(
    typed.filter(({ value, chosen }) => value !== chosen).map(({ name, chosen }) => [name, chosen]),
  )
}
