/** A button that opens the file dialog of the browser. */
import { useId } from 'preact/hooks'
import { chosenFiles, type FoundFile } from '../photos/files.ts'

interface Properties {
  label: string
  class?: string
  isMultiple?: boolean
  isFolder?: boolean
  onFiles: (files: FoundFile[]) => void
}

export function FileButton({ label, class: name = '', isMultiple, isFolder, onFiles }: Properties) {
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
