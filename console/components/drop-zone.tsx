/** Where files come from: a field for dropped and pasted ones, and a button that opens the file dialog of the browser. */
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useState } from 'preact/hooks'
import { ACCEPTED_TYPES, chosenFiles, droppedFiles, type FoundFile } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import { Status } from './state.tsx'

interface DropProperties {
  class?: string
  label: string
  onFiles: (files: FoundFile[]) => void
  /** Takes the pictures that are pasted anywhere on the page. Undefined: they are not for this field. */
  onPasted?: (files: FoundFile[]) => void
  children: ComponentChildren
}

export function DropZone({ class: name = '', label, onFiles, onPasted, children }: DropProperties) {
  const [isOver, setOver] = useState(false)
  const [isReading, setReading] = useState(false)
  useLayoutEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const files = chosenFiles(clipboardData?.files ?? null)
      // A dialog over the page has its own fields.
      if (files.length > 0 && !document.querySelector('dialog[open]')) onPasted?.(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  })
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!event.dataTransfer) return
    setReading(true)
    void droppedFiles(event.dataTransfer).then(files => {
      setReading(false)
      onFiles(files)
    })
  }
  return (
    <section
      class={`stack tight drop-zone ${name}${isOver ? ' over' : ''}`}
      aria-label={label}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
      {isReading && <Status text={TEXTS.input.reading} />}
    </section>
  )
}

interface ButtonProperties {
  label: string
  class?: string
  /** Types of the file. Default: photos. */
  accept?: string
  isMultiple?: boolean
  isFolder?: boolean
  onFiles: (files: FoundFile[]) => void
}

export function FileButton({
  label,
  class: name = '',
  accept = ACCEPTED_TYPES,
  isMultiple,
  isFolder,
  onFiles,
}: ButtonProperties) {
  const id = useId()
  const choose = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement
    const files = chosenFiles(input.files)
    // The same file can be chosen again.
    input.value = ''
    if (files.length > 0) onFiles(files)
  }
  return (
    <span class="row">
      <input
        id={id}
        class="visually-hidden"
        type="file"
        accept={accept}
        multiple={isMultiple || isFolder}
        {...(isFolder ? { webkitdirectory: true } : {})}
        onChange={choose}
      />
      <label class={`button ${name}`} for={id}>
        {label}
      </label>
    </span>
  )
}
