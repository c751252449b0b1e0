/** An event: its tile in the grid, the dialog with everything that is known about it, and the button that saves evidence. */
import { useEffect } from 'preact/hooks'
import type { EvidenceParameters } from '../../clients/typescript/src/index.ts'
import { Thumbnail, useSeenFace, WhoLine } from '../components/face-boxes.tsx'
import { Problem } from '../components/state.tsx'
import { useClient } from '../connection/service.ts'
import { useAction } from '../connection/task.ts'
import { saveFile } from '../download.ts'
import { FaceDialog } from '../faces/face-dialog.tsx'
import { formatSecond } from '../format.ts'
import { TEXTS } from '../texts.ts'
import { whoOfFace, whoText } from '../who.ts'
import type { ShownEvent } from './event-list.ts'

interface TileProperties {
  event: ShownEvent
  camera: string
  /** Names of the rules that the event has alerted; empty without one. */
  alert: string
  /** Number of changes of persons: the tile says the new name. */
  changes: number
  /** Called when the person has become one to ignore. */
  onSilent: () => void
  onOpen: () => void
}

export function EventTile({ event, camera, alert, changes, onSilent, onOpen }: TileProperties) {
  const mark = alert && TEXTS.latestAlerts.mark(alert)
  // The links of an event of the history are asked for when it is shown, as is who it was.
  const { value: face, error } = useSeenFace(event.id, changes)
  const who = whoOfFace(face ?? event)
  const isLoading = !who && !face && error === undefined
  useEffect(() => {
    if (face?.silent && !event.silent) onSilent()
  }, [face?.silent])
  return (
    <button
      type="button"
      class="bare tile event large"
      aria-label={
        TEXTS.events.event(isLoading ? '…' : whoText(who), camera, event.timestamp) + (mark && `, ${mark}`)
      }
      onClick={onOpen}
    >
      <Thumbnail face={event.thumbnail === undefined ? face : { thumbnail: event.thumbnail }} />
      <WhoLine who={who} isLoading={isLoading} />
      <span class="one-line" title={camera}>
        {camera}
      </span>
      <span class="hint">{formatSecond(event.timestamp)}</span>
      {mark && <span class="badge danger solid one-line">{mark}</span>}
      {event.friend && <span class="badge">{TEXTS.events.friend}</span>}
    </button>
  )
}

interface DialogProperties {
  id: number
  onChanged: () => void
  onDeleted: () => void
  onClose: () => void
}

/** Everything that is known about an event, and who it is. */
export const EventDialog = (dialog: DialogProperties) => (
  <FaceDialog title={TEXTS.events.one} {...dialog}>
    <EvidenceButton filter={{ event_id: dialog.id }} name={`event-${dialog.id}`} />
  </FaceDialog>
)

/** Time for an export with many clips. */
const TIMEOUT_MS = 3_600_000

/** `name` begins the name of the file. */
export function EvidenceButton({ filter, name }: { filter: EvidenceParameters; name: string }) {
  const client = useClient()
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
