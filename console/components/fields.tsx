/** Fields of forms: a label and its control, and a form that saves them. */
import type { ComponentChildren, InputHTMLAttributes, RefObject, SelectHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'

/** Attributes of an input that must not be left empty. An empty form creates nothing. */
export const NOT_EMPTY = { required: true, pattern: '.*\\S.*' }

interface FieldProperties {
  label: string
  hint?: string
  /** Mistake in the field. */
  fault?: string
  /** The control with these attributes. */
  children: (attributes: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean | undefined
  }) => ComponentChildren
}

export function Field({ label, hint, fault, children }: FieldProperties) {
  const id = useId()
  const hintId = (fault ?? hint) === undefined ? undefined : `${id}-hint`
  return (
    <div class="stack tight field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hintId, 'aria-invalid': fault === undefined ? undefined : true })}
      {hintId !== undefined && (
        <p class={fault === undefined ? 'hint' : 'fault'} id={hintId}>
          {fault ?? hint}
        </p>
      )}
    </div>
  )
}

type InputProperties = InputHTMLAttributes & {
  label: string
  hint?: string
  fault?: string
  inputRef?: RefObject<HTMLInputElement | null>
}

export const InputField = ({ label, hint, fault, inputRef, ...attributes }: InputProperties) => (
  <Field label={label} hint={hint} fault={fault}>
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
  hint?: string
  fault?: string
  /** Value and text of each option, or a text that is both. */
  options: Iterable<string | readonly [value: string | number, text: string]>
  /** The option that is selected at first, where `value` does not select one. */
  chosen?: string | number
}

export const SelectField = ({ label, hint, fault, options, chosen, ...attributes }: SelectProperties) => (
  <Field label={label} hint={hint} fault={fault}>
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
