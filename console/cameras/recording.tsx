/** The command that reads a recording for a camera. The page reads nothing of the video but its name. */
import { useState } from 'preact/hooks'
import { DropZone, FileButton } from '../components/drop-zone.tsx'
import { InputField } from '../components/fields.tsx'
import type { FoundFile } from '../photos/files.ts'
import { TEXTS } from '../texts.ts'
import { CodeText } from '../try/code.tsx'
import { shellQuoted } from '../try/requests.ts'

export function RecordingCard({ id }: { id: string }) {
  const [name, setName] = useState('')
  const [start, setStart] = useState('')
  const texts = TEXTS.recording
  const time = Date.parse(start)
  const choose = (files: readonly FoundFile[]) => setName(files[0]?.file.name ?? '')
  return (
    <details class="card">
      <summary>{texts.title}</summary>
      <div class="stack">
        <p class="hint">{texts.hint}</p>
        <DropZone class="filled" label={texts.title} onFiles={choose}>
          <div class="row centered">
            <p>{name || texts.drop}</p>
            <FileButton label={texts.choose} class="quiet" accept="video/*" onFiles={choose} />
          </div>
        </DropZone>
        <InputField
          label={texts.start}
          type="datetime-local"
          step={1}
          value={start}
          onInput={({ currentTarget: { value } }) => setStart(value)}
        />
        {name !== '' && !Number.isNaN(time) && (
          <>
            <CodeText
              text={`mien watch --file ${shellQuoted(name)} --camera ${id} --start ${new Date(time).toISOString()}`}
            />
            <p class="hint">{texts.run}</p>
          </>
        )}
      </div>
    </details>
  )
}
