/** The audit log of the owner, and the verification of its chain. */
import { useState } from 'preact/hooks'
import type { AuditVerification, MienClient } from '../../clients/typescript/src/index.ts'
import { Loaded, Problem } from '../components/state.tsx'
import { Table } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { formatCount, formatDate, formatSubject } from '../format.ts'
import { entryText } from '../texts/audit.ts'
import { TEXTS } from '../texts.ts'

const PAGE = 50

export function AuditLog() {
  const { client } = useService()
  const [shown, setShown] = useState(PAGE)
  const log = useTask(
    // One more shows that there are older ones.
    signal => client.service.auditLog({ pageSize: PAGE }, { signal }).toArray(shown + 1),
    [],
    [shown],
  )
  const texts = TEXTS.audit
  return (
    <>
      <Verification />
      <Loaded task={log} empty={texts.none}>
        {found => (
          <Table
            caption={texts.caption}
            columns={texts.columns}
            rows={found.slice(0, shown).map(({ seq, time, actor, action, subject, names }) => ({
              key: seq,
              cells: {
                ...{ seq: formatCount(seq), time: formatDate(time) },
                ...{
                  what: entryText(actor, action, names?.actor),
                  subject: formatSubject({ subject, names }),
                },
              },
            }))}
            classes={{ seq: 'number', time: 'time', subject: 'hint' }}
          />
        )}
      </Loaded>
      {log.value && log.value.length > shown && (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          {texts.more}
        </button>
      )}
    </>
  )
}

/** Verifies the chain of the log in steps, and says how far it is right. */
function Verification() {
  const { client } = useService()
  const [progress, setProgress] = useState<AuditVerification>()
  const { value, error, reload } = useTask(signal => verified(client, signal, setProgress), [])
  const texts = TEXTS.audit
  if (error !== undefined) return <Problem error={error} onRetry={reload} />
  if (progress && !progress.intact)
    return <Problem error={texts.broken(progress.fault ?? '', progress.verified_to)} />
  return (
    <div class={`note${value ? ' intact' : ''}`}>
      <p role="status">
        {value ? endText(value) : progress && texts.verifying(progress.verified_to, progress.last)}
      </p>
      <p class="hint">{texts.whole}</p>
    </div>
  )
}

const endText = ({ verified_from, verified_to }: AuditVerification): string =>
  verified_to === 0 ? TEXTS.audit.empty : TEXTS.audit.intact(verified_from, verified_to)

/** Asks until all entries are verified, or a fault is found. */
async function verified(
  client: MienClient,
  signal: AbortSignal,
  onProgress: (verification: AuditVerification) => void,
): Promise<AuditVerification> {
  for (;;) {
    const verification = await client.service.verifyAuditLog({ signal })
    onProgress(verification)
    if (!verification.intact || verification.verified_to >= verification.last) return verification
  }
}
