/** Fields of forms: a label and its control, and a form that saves them. */
import type { ComponentChildren, InputHTMLAttributes, RefObject, SelectHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'

/** Attributes of an input that must not be left empty. An empty form creates nothing. */
export const NAMED = { required: true, pattern: '.*\\S.*' }

interface FieldProperties {
  label: string
  hint?: string | undefined
  /** The control with these attributes. */
  children: (attributes: { id: string; 'aria-describedby': string | undefined }) => ComponentChildren
}

export function Field({ label, hint, children }: FieldProperties) {
  const id = useId()
  const hintId = hint === undefined ? undefined : `${id}-hint`
  return (
    <div class="stack field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hintId })}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  )
}

type InputProperties = InputHTMLAttributes & {
  label: string
  hint?: string | undefined
  inputRef?: RefObject<HTMLInputElement | null>
}

export const InputField = ({ label, hint, inputRef, ...attributes }: InputProperties) => (
  <Field label={label} hint={hint}>
    {field => <input {...field} ref={inputRef} autocomplete="off" {...attributes} />}
  </Field>
)

interface CheckProperties {
  label: string
  name?: string
  value?: string
  checked?: boolean
  defaultChecked?: boolean
  onChange?: () => void
}

export const CheckField = ({ label, ...attributes }: CheckProperties) => (
  <label class="check">
    <input type="checkbox" {...attributes} />
    {label}
  </label>
)

type SelectProperties = SelectHTMLAttributes & {
  label: string
  /** Value and text of each option, or a text that is both. */
  options: Iterable<string | readonly [value: string | number, text: string]>
  /** The option that is selected at first, where `value` does not select one. */
  chosen?: string | number | undefined
}

export const SelectField = ({ label, options, chosen, ...attributes }: SelectProperties) => (
  <Field label={label}>
    {field => (
      <select {...field} {...attributes}>
        {Array.from(options, option => {
          const [value, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={value} value={value} selected={chosen === undefined ? undefined : value === chosen}>
              {text}
            </option>
          )
        })}
      </select>
    )}
  </Field>
)
