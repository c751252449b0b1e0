/** The button that saves events as evidence. */
import type { EvidenceParameters } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/state.tsx'
import { useService } from '../connection/service.ts'
import { useAction } from '../connection/task.ts'
import { saveFile } from '../download.ts'
import { TEXTS } from '../texts.ts'

/** Time for an export with many clips. */
const TIMEOUT_MS = 3_600_000

/** `name` begins the name of the file. */
export function EvidenceButton({ filter, name }: { filter: EvidenceParameters; name: string }) {
  const { client } = useService()
  const action = useAction()
  const save = async () => {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const file = await client.history.evidence({ ...filter, time_zone }, { timeoutMs: TIMEOUT_MS })
    saveFile(`${name}.zip`, file)
  }
  const texts = TEXTS.evidence
  return (
    <>
      <button
        type="button"
        disabled={action.isRunning}
        title={texts.hint}
        onClick={() => void action.run(save)}
      >
        {action.isRunning ? texts.saving : texts.save}
      </button>
      <Problem error={action.problem} />
    </>
  )
}
