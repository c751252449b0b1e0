/** Forms that save their fields. They show mistakes, a question before the save, and the result. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Action, useAction } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import { ConfirmDialog, type Question } from './dialog.tsx'
import { Problem } from './state.tsx'

interface Saving<P> {
  /** Values of the fields; a returned text describes a mistake. */
  read: (fields: FormData) => P | string
  /** What to ask before this is saved; undefined for nothing. */
  question?: (read: P) => Question | undefined
  save: (read: P, form: HTMLFormElement) => Promise<unknown>
}

interface SaveForm {
  action: Action
  /** Attributes of the form. */
  attributes: { onSubmit: (event: SubmitEvent) => void; onInput: () => void }
  /** The dialog with the question, to be placed beside the form. */
  dialog: ComponentChildren
}

export function useSaveForm<P>({ read, question, save }: Saving<P>): SaveForm {
  const action = useAction()
  const [asked, setAsked] = useState<{ question: Question; save: () => Promise<void> }>()
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const parameters = read(new FormData(form))
    if (typeof parameters === 'string') return action.refuse(parameters)
    const run = () => action.run(() => save(parameters, form))
    const asks = question?.(parameters)
    if (!asks) return void run()
    action.refuse()
    setAsked({ question: asks, save: run })
  }
  const onInput = () => {
    if (!action.isRunning) action.refuse()
  }
  const dialog = asked && (
    <ConfirmDialog
      {...asked.question}
      run={async () => void asked.save()}
      onClose={() => setAsked(undefined)}
    />
  )
  return { action, attributes: { onSubmit, onInput }, dialog }
}

interface EndProperties {
  action: Action
  /** Texts of the button and of its result. */
  texts?: { save: string; saved: string }
}

/** Throws a sentence when a stored object is not as the page has loaded it: the form would replace what others have changed. */
export function assertUnchanged(loaded: object, present: object): void {
  if (JSON.stringify(loaded) !== JSON.stringify(present)) throw TEXTS.errors.changed
}

/** The end of a long form: what went wrong, and the button that saves it. */
export const SaveFormEnd = ({ action, texts = TEXTS }: EndProperties) => (
  <>
    <Problem error={action.problem} />
    <div class="row actions">
      <p role="status">{action.isDone && texts.saved}</p>
      <button type="submit" class="primary" disabled={action.isRunning}>
        {action.isRunning ? TEXTS.saving : texts.save}
      </button>
    </div>
  </>
)

interface IssueProperties<P> {
  texts: { title: string; submit: string }
  read: Saving<P>['read']
  /** Makes a secret from the values of the fields. */
  issue: (read: P) => Promise<void>
  children: ComponentChildren
}

/** A form that makes a secret. Then it clears the field `name`, and keeps the choices: a reset would set their first options. */
export function IssueForm<P>({ texts, read, issue, children }: IssueProperties<P>) {
  const { action, attributes } = useSaveForm({
    read,
    async save(parameters, form) {
      await issue(parameters)
      ;(form.elements.namedItem('name') as HTMLInputElement).value = ''
    },
  })
  return (
    <form class="card stack" {...attributes}>
      <h2>{texts.title}</h2>
      <div class="fields">{children}</div>
      <Problem error={action.problem} />
      <button type="submit" class="primary" disabled={action.isRunning}>
        {texts.submit}
      </button>
    </form>
  )
}

/** The time so many days from now, as the API takes it. */
export const daysLater = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

interface SwitchProperties {
  label: string
  /** Name of the enabled thing, for screen readers, if the label does not say it. */
  name?: string
  isEnabled: boolean
  /** Sets the state. Resolves to the state that the service has then. */
  onChange: (isEnabled: boolean) => Promise<boolean>
}

/** A checkbox that enables and disables something of the service at once. */
export function EnabledSwitch({ label, name, isEnabled: first, onChange }: SwitchProperties) {
  const [isEnabled, setIsEnabled] = useState(first)
  const action = useAction()
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={isEnabled}
          disabled={action.isRunning}
          aria-label={name === undefined ? label : `${label}: ${name}`}
          onChange={() => void action.run(async () => setIsEnabled(await onChange(!isEnabled)))}
        />
        {label}
      </label>
      <Problem error={action.problem} />
    </>
  )
}
