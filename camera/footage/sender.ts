/** Sends the snapshots and clips of events, each after its event. No event waits for them: what cannot be sent is dropped. */
import { hash } from 'node:crypto'
import type { Face, MienClient } from '../../clients/typescript/src/index.ts'
import { environment, retry } from '../../contract/environment.ts'
import type { FootageKind } from '../../contract/limits/cameras.ts'
import { type Log, traceOf } from '../../core/log.ts'
import { codeOf, isTemporary, retryDelayMs } from '../outbox.ts'
import type { VisitEvent } from '../visit-event.ts'
import { clipOf } from './clip.ts'

/** Waiting files. A clip has some megabytes; clips of one time share them. */
const WAITING_FILES = 32

/** Attempts at one file. */
const ATTEMPTS_PER_FILE = 8

interface WaitingFile {
  kind: FootageKind
  camera: string
  track: string
  /** Of a snapshot. */
  photo?: Uint8Array
  /** Undefined without a clip. */
  bytes: () => Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Whether the seconds of a clip are over. */
  isReady: boolean
  /** The face of the event, once it is posted. */
  face?: number
}

export function openSender(client: MienClient, log: Log, program?: string, most = WAITING_FILES) {
  let waiting: WaitingFile[] = []
  const stop = new AbortController()
  let running: Promise<void> | undefined

  const remove = (file: WaitingFile) => {
    waiting = waiting.filter(one => one !== file)
  }

  const drop = (file: WaitingFile) => {
    remove(file)
    log('footage dropped', { kind: file.kind, camera: file.camera, track: file.track })
  }

  const send = async (file: WaitingFile) => {
    const { kind, camera, track, face } = file
    const facts = { kind, camera, track, face }
    const bytes = await file.bytes()
    if (!bytes) return log('no clip', facts)
    await retry(() => client.faces.putFootage(face!, kind, bytes, { signal: stop.signal }), {
      isTemporary: (error, failures) => isTemporary(error, failures - 1),
      attempts: ATTEMPTS_PER_FILE,
      delayMs: retryDelayMs,
      signal: stop.signal,
    }).then(
      () => log('footage sent', { ...facts, bytes: bytes.length }),
      error => log('footage refused', { ...facts, code: codeOf(error) }),
    )
  }

  const next = () => waiting.find(({ face, isReady }) => isReady && face !== undefined)

  /** Sends the files of posted events in sequence. */
  const run = async () => {
    for (let file = next(); file && !stop.signal.aborted; file = next()) {
      await send(file).catch(error => log('footage lost', { kind: file?.kind, ...traceOf(error) }))
      remove(file)
    }
    running = undefined
  }

  const start = () => {
    if (next()) running ??= run()
  }

  const add = (file: WaitingFile) => {
    waiting.push(file)
    if (waiting.length > most) drop(waiting[0]!)
  }

  return {
    /** Keeps the footage of the event until the event is posted. */
    add({ camera, track, photo, clip, isSnapshotKept }: VisitEvent) {
      if (isSnapshotKept)
        add({ kind: 'snapshot', camera, track, photo, bytes: async () => photo, isReady: true })
      if (!clip) return
      const file: WaitingFile = {
        kind: 'clip',
        camera,
        track,
        bytes: async () => clipOf(await clip, program),
        isReady: false,
      }
      add(file)
      void clip.then(() => {
        file.isReady = true
        start()
      })
    },
    /** The event will not be posted: a later event of its visit has a better picture. */
    replaced({ photo }: VisitEvent) {
      waiting = waiting.filter(one => one.photo !== photo)
    },
    /**
     * The event is posted as this face. Its photo may be the photo of an earlier event: the service ignores covered pictures. Other
     * snapshots are removed. Undefined: the event is lost. Files of an earlier event of the visit that was posted stay.
     */
    posted({ track, photo }: VisitEvent, face: Face | undefined) {
      const files = waiting.filter(one => one.track === track)
      const last = files.findIndex(one => one.photo === photo)
      for (const [i, file] of files.entries()) {
        if (!face) {
          if (file.face === undefined) drop(file)
        } else if (!file.photo || hash('sha256', file.photo) === face.photo_hash) file.face = face.id
        else if (i <= last) remove(file)
      }
      start()
    },
    /** Resolves when all files are sent that are ready and whose events are posted. */
    idle: async (): Promise<void> => running,
    /** Sends what waits for `graceMs` milliseconds at most. */
    async close(graceMs: number) {
      const timer = environment.timer(() => stop.abort(), graceMs)
      await running
      timer.cancel()
    },
  }
}
