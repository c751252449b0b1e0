/** The form of a rule, for a new one and for a stored one. */
import { useState } from 'preact/hooks'
import type { Alert, AlertParameters } from '../../clients/typescript/src/index.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Field, NAMED } from '../components/field.tsx'
import { Problem } from '../components/problem.tsx'
import { TEXTS } from '../texts.ts'
import { ConditionFields } from './condition-fields.tsx'
import { alertsToEverybody, type HoursFields as Hours, parametersOf } from './conditions.ts'
import { HoursFields } from './hours-fields.tsx'

interface Properties {
  /** Undefined for a new rule. */
  rule: Alert | undefined
  /** Stores the rule. Its errors are shown. */
  onSave: (parameters: AlertParameters) => Promise<void>
}

/** The time zone of the visitor. */
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone

export function AlertForm({ rule, onSave }: Properties) {
  const [hours, setHours] = useState<readonly Hours[]>(rule?.hours ?? [])
  const [state, setState] = useState<'idle' | 'saving' | 'saved'>('idle')
  const [problem, setProblem] = useState<unknown>()
  const [asked, setAsked] = useState<AlertParameters>()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const parameters = parametersOf(new FormData(event.currentTarget as HTMLFormElement), hours)
    setProblem(typeof parameters === 'string' ? parameters : undefined)
    if (typeof parameters === 'string') return
    if (alertsToEverybody(parameters)) setAsked(parameters)
    else void save(parameters)
  }
  const save = async (parameters: AlertParameters) => {
    setAsked(undefined)
    setState('saving')
    try {
      await onSave(parameters)
      setState('saved')
    } catch (error) {
      setProblem(error)
      setState('idle')
    }
  }
  const texts = TEXTS.alert
  return (
    <>
      <form class="alert-form" onSubmit={submit} onInput={() => setState('idle')}>
        <div class="card fields">
          <Field label={texts.name}>
            {id => (
              <input
                id={id}
                name="name"
                defaultValue={rule?.name}
                maxLength={200}
                autocomplete="off"
                {...(rule ? {} : NAMED)}
              />
            )}
          </Field>
          <Field label={texts.url}>
            {id => (
              <>
                <input
                  id={id}
                  name="url"
                  defaultValue={rule?.url}
                  autocomplete="off"
                  spellcheck={false}
                  aria-describedby={`${id}-hint`}
                />
                <p class="hint" id={`${id}-hint`}>
                  {texts.urlHint}
                </p>
              </>
            )}
          </Field>
          <label class="check">
            <input type="checkbox" name="enabled" defaultChecked={rule?.enabled ?? true} />
            {texts.enabled}
          </label>
        </div>
        <section class="card alert-conditions" aria-label={texts.conditions}>
          <h2>{texts.conditions}</h2>
          <p class="hint">{texts.conditionsHint}</p>
          <ConditionFields rule={rule} />
          <HoursFields hours={hours} onHours={setHours} />
          <Field label={texts.zone}>
            {id => (
              <input id={id} name="time_zone" defaultValue={rule?.time_zone ?? HERE} autocomplete="off" />
            )}
          </Field>
        </section>
        {problem !== undefined && <Problem error={problem} />}
        <div class="actions">
          <p role="status">{state === 'saved' && texts.saved}</p>
          <button type="submit" class="primary" disabled={state === 'saving'}>
            {state === 'saving' ? texts.saving : texts.save}
          </button>
        </div>
      </form>
      {asked && (
        <ConfirmDialog
          title={texts.everybodyTitle}
          text={texts.everybodyText}
          confirm={texts.everybodyConfirm}
          run={() => save(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
