/** The audit log of the owner, and the verification of its chain. */
import { useEffect, useState } from 'preact/hooks'
import type { AuditEntry } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { formatCount, formatDate } from '../format.ts'
import { TEXTS } from '../texts.ts'
import { subjectText } from './subject-text.ts'
import { Verification } from './verification.tsx'

const PAGE = 50

export function AuditLog() {
  const { client } = useService()
  const [shown, setShown] = useState<AuditEntry[]>([])
  const [below, setBelow] = useState<number>()
  const page = useTask(
    signal =>
      client.service
        .auditLog({ pageSize: PAGE, ...(below !== undefined && { max_seq: below }) }, { signal })
        .toArray(PAGE),
    [below],
  )
  const found = page.state === 'done' ? page.value : undefined
  useEffect(() => {
    if (found) setShown(entries => [...entries.filter(({ seq }) => seq > (found[0]?.seq ?? 0)), ...found])
  }, [found])
  const texts = TEXTS.audit
  return (
    <>
      <Verification />
      {shown.length > 0 && (
        <div class="table-card">
          <table class="stacked">
            <caption>{texts.caption}</caption>
            <thead>
              <tr>
                {Object.entries(texts.columns).map(([column, name]) => (
                  <th key={column} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map(entry => (
                <EntryRow key={entry.seq} entry={entry} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {found?.length === 0 && shown.length === 0 && <p class="empty">{texts.none}</p>}
      {page.state === 'running' && <Status text={TEXTS.loading} />}
      {page.state === 'failed' && <Problem error={page.error} onRetry={page.retry} />}
      {found?.length === PAGE && (
        <div>
          <button type="button" onClick={() => setBelow(found.at(-1)!.seq)}>
            {texts.more}
          </button>
        </div>
      )}
    </>
  )
}

function EntryRow({ entry: { seq, time, actor, action, subject } }: { entry: AuditEntry }) {
  const { columns } = TEXTS.audit
  return (
    <tr>
      <th scope="row" class="number" data-label={columns.seq}>
        {formatCount(seq)}
      </th>
      <td data-label={columns.time}>{formatDate(time)}</td>
      <td data-label={columns.actor}>{actor}</td>
      <td data-label={columns.action}>{action}</td>
      <td class="subject" data-label={columns.subject}>
        {subjectText(subject)}
      </td>
    </tr>
  )
}
