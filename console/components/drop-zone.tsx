/** A field on which files are dropped. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { droppedFiles, type FoundFile } from '../photos/files.ts'

interface Properties {
  class?: string
  label: string
  onFiles: (files: FoundFile[]) => void
  children: ComponentChildren
}

export function DropZone({ class: name = '', label, onFiles, children }: Properties) {
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
