/** Where files come from: a field on which they are dropped, and a button that opens the file dialog of the browser. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { chosenFiles, droppedFiles, type FoundFile } from '../photos/files.ts'

interface DropProperties {
  class?: string
  label: string
  onFiles: (files: FoundFile[]) => void
  children: ComponentChildren
}

export function DropZone({ class: name = '', label, onFiles, children }: DropProperties) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(onFiles, () => onFiles([]))
  }
  return (
    <section
      class={`drop-zone ${name}${isOver ? ' over' : ''}`}
      aria-label={label}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </section>
  )
}

interface ButtonProperties {
  label: string
  class?: string
  isMultiple?: boolean
  isFolder?: boolean
  onFiles: (files: FoundFile[]) => void
}

export function FileButton({ label, class: name = '', isMultiple, isFolder, onFiles }: ButtonProperties) {
  const id = useId()
  const choose = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement
    const files = chosenFiles(input.files)
    // The same file can be chosen again.
    input.value = ''
    if (files.length > 0) onFiles(files)
  }
  return (
    <span class="file-button">
      <input
        id={id}
        class="visually-hidden"
        type="file"
        accept="image/jpeg,image/png,image/webp"
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
