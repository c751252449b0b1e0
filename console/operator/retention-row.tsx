/** The retention of a gallery or a camera: a number of days, which is saved after a confirmation when it deletes faces. */
import { useId, useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { TEXTS } from '../texts.ts'
import { deletesFaces, retentionIn } from './retention-days.ts'

interface Properties {
  name: string
  hint?: string | undefined
  /** Undefined: for ever. */
  days: number | undefined
  onSave: (days: number) => Promise<void>
}

export function RetentionRow({ name, hint, days, onSave }: Properties) {
  const id = useId()
  const texts = TEXTS.retention
  const [stored, setStored] = useState(days ?? 0)
  const [asked, setAsked] = useState<number>()
  const [saved, setSaved] = useState<number>()
  const [problem, setProblem] = useState<unknown>()

  const save = async (chosen: number) => {
    await onSave(chosen)
    setStored(chosen)
    setSaved(chosen)
    setAsked(undefined)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get('days'))
    const chosen = retentionIn(typed)
    setSaved(undefined)
    setProblem(undefined)
    if (chosen === undefined) return setProblem(texts.invalid)
    if (deletesFaces(stored, chosen)) return setAsked(chosen)
    save(chosen).catch(setProblem)
  }
  return (
    <li class="rule">
      <form onSubmit={submit}>
        <label for={id}>
          <span class="row-name">{name}</span>
          <span class="visually-hidden">{texts.unit}</span>
          {hint && <small>{hint}</small>}
        </label>
        <span class="rule-controls">
          <input
            id={id}
            name="days"
            inputMode="numeric"
            autocomplete="off"
            aria-label={texts.days(name)}
            placeholder="0"
            defaultValue={stored === 0 ? '' : String(stored)}
          />
          <span class="unit" aria-hidden="true">
            {texts.unit}
          </span>
          <button type="submit" class="small" aria-label={texts.saveFor(name)}>
            {texts.save}
          </button>
        </span>
      </form>
      {saved !== undefined && <p role="status">{texts.saved(name, saved)}</p>}
      {problem !== undefined && <Problem error={problem} />}
      {asked !== undefined && (
        <ConfirmDialog
          title={texts.confirmTitle(name)}
          text={texts.confirmText(asked)}
          confirm={texts.confirm}
          isDanger
          run={() => save(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </li>
  )
}
