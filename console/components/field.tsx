/** A field of a form: a label, and the control that the label names. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** Attributes of an input that must not be left empty. An empty form creates nothing. */
export const NAMED = { required: true, pattern: '.*\\S.*' }

interface Properties {
  label: string
  /** The control with this id. */
  children: (id: string) => ComponentChildren
}

export function Field({ label, children }: Properties) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  )
}
