/** Number of faces, and the gallery in which they are identified. */
import { useId } from 'preact/hooks'
import type { IdentifyAnswer } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { type Task, useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  count: number
  gallery: string
  onGallery: (name: string) => void
  identification: Task<IdentifyAnswer>
}

export function IdentifyControls({ count, gallery, onGallery, identification }: Properties) {
  const { client } = useService()
  const id = useId()
  const galleries = useTask(signal => client.galleries.list({ signal }).toArray(), [])
  const known = galleries.state === 'done' ? galleries.value : []
  const names = known.includes(gallery) ? known : [...known, gallery]
  return (
    <>
      <div class="controls">
        <h2>{TEXTS.try.faces(count)}</h2>
        <label for={id}>{TEXTS.try.gallery}</label>
        <select id={id} value={gallery} onChange={event => onGallery(event.currentTarget.value)}>
          {names.map(name => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {identification.state === 'running' && <Status text={TEXTS.try.identifying} />}
      {identification.state === 'failed' && (
        <Problem error={identification.error} onRetry={identification.retry} />
      )}
    </>
  )
}
