/** The keys that sign evidence. */
import { ConfirmButton } from '../components/dialog.tsx'
import { Loaded } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { formatDate } from '../format.ts'
import { TEXTS } from '../texts.ts'

export function EvidenceKeys() {
  const { client } = useService()
  const keys = useTask(signal => client.service.evidenceKeys({ signal }).toArray(), [])
  const texts = TEXTS.evidence
  const renew = async () => {
    await client.service.renewEvidenceKey()
    keys.reload()
  }
  return (
    <section class="card stack tight" aria-label={texts.keys}>
      <h2>{texts.keys}</h2>
      <p class="hint">{texts.keysHint}</p>
      <Loaded task={keys}>
        {found => (
          <>
            {found.map(({ id, public_key, created, signs }, i) => (
              <div key={id}>
                <small>
                  {signs || i === 0
                    ? texts.signs(formatDate(created))
                    : texts.signed(formatDate(created), formatDate(found[i - 1]!.created))}
                </small>
                <pre class="wrapped">{public_key}</pre>
              </div>
            ))}
          </>
        )}
      </Loaded>
      <ConfirmButton {...texts.renewal} run={renew} />
    </section>
  )
}
