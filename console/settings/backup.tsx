/** Backups: when the last ones were, and how to make and repeat them. */
import type { ServiceState } from '../../clients/typescript/src/index.ts'
import { Loaded, Problem } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

export function Backup() {
  const { client } = useService()
  const service = useTask(signal => client.service.get({ signal }), [])
  return <Loaded task={service}>{({ backup }) => <Times backup={backup} />}</Loaded>
}

function Times({
  backup: { started = '', completed = '', failed = '', drilled },
}: {
  backup: ServiceState['backup']
}) {
  const texts = TEXTS.backup
  // Times of the API sort as texts.
  const isUnfinished = started > completed && started > failed
  return (
    <section class="card stack tight">
      <h2>{texts.title}</h2>
      {!(started || completed || failed) && <p>{texts.noBackup}</p>}
      {completed && <p>{texts.completed(completed)}</p>}
      {failed > completed && <Problem error={texts.failed(failed)} />}
      {isUnfinished && <p>{texts.unfinished(started)}</p>}
      {completed && <p>{drilled === undefined ? texts.noDrill : texts.drilled(drilled)}</p>}
      <a href={hashOf({ page: 'help', name: 'backup' })}>{texts.help}</a>
    </section>
  )
}
