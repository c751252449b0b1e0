/** Verifies the chain of the audit log in steps, and says how far it is right. */
import { useState } from 'preact/hooks'
import type { AuditVerification, MienClient } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'

export function Verification() {
  const { client } = useService()
  const [progress, setProgress] = useState<AuditVerification>()
  const task = useTask(signal => verified(client, signal, setProgress), [])
  const texts = TEXTS.audit
  if (task.state === 'failed') return <Problem error={task.error} onRetry={task.retry} />
  if (progress && !progress.intact)
    return <Problem error={texts.broken(progress.fault ?? '', progress.verified_to)} />
  return (
    <div class={`chain${task.state === 'done' ? ' intact' : ''}`}>
      <p role="status">
        {task.state === 'done'
          ? endText(task.value)
          : progress && texts.verifying(progress.verified_to, progress.last)}
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
