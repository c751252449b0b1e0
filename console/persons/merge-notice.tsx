/** Says what was merged, with a button that undoes it. */
import { useState } from 'preact/hooks'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { type Merge, undoMerge } from './merge.ts'
import { nameOf } from './names.ts'

interface Properties {
  merge: Merge
  /** Gets the merge after each step of an undo. */
  onMerge: (merge: Merge) => void
}

export function MergeNotice({ merge, onMerge }: Properties) {
  const { client } = useService()
  const [isRunning, setIsRunning] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const undo = async () => {
    setIsRunning(true)
    setProblem(undefined)
    await undoMerge(client, merge, onMerge).catch(setProblem)
    setIsRunning(false)
  }
  const { kept, count, parts, created } = merge
  return (
    <div class="outcome" role="status">
      <p>
        {created.length === 0 ? TEXTS.merge.done(count, nameOf(kept)) : TEXTS.merge.undone}{' '}
        {created.map(person => (
          <a key={person.id} href={hashOf({ page: 'person', id: person.id })}>
            {nameOf(person)}
          </a>
        ))}
      </p>
      {parts.length > 0 && (
        <button type="button" disabled={isRunning} onClick={() => void undo()}>
          {TEXTS.merge.undo}
        </button>
      )}
      {problem !== undefined && <Problem error={problem} />}
    </div>
  )
}
