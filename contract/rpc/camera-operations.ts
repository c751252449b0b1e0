/** RPC operations on cameras. See operations.ts. */
import * as z from 'zod'
import { CameraId, CameraSchema } from '../model/camera.ts'
import { NewRetentionDays } from '../model/retention.ts'
import { CameraReportSchema, CameraStateSchema, WatcherName } from '../model/watching/camera-state.ts'
import { changing, empty, owned } from './fields.ts'

/** Fields of a camera that can change. */
const CameraChangeSchema = CameraSchema.omit({ id: true, detector: true }).extend({
  retention_days: NewRetentionDays.optional(),
})

/** Fields of the requests of a watcher. */
const watched = { ...owned, id: CameraId, watcher: WatcherName }

const CameraAnswer = z.strictObject({ camera: CameraSchema })

/** Schemas of the request (`question`) and of the response (`answer`). */
export const CAMERA_OPERATIONS = {
  /** Creates a camera. Absent fields stay unset. */
  'camera.create': {
    question: z.strictObject({
      ...changing,
      camera: CameraChangeSchema.extend({ detector: z.string().optional() }),
    }),
    answer: CameraAnswer,
  },
  'camera.get': { question: z.strictObject({ ...owned, id: CameraId }), answer: CameraAnswer },
  /** Changes the given fields. An absent `rot` or `roi` is removed. */
  'camera.update': {
    question: z.strictObject({
      ...changing,
      id: CameraId,
      camera: CameraChangeSchema.partial(),
    }),
    answer: CameraAnswer,
  },
  'camera.delete': { question: z.strictObject({ ...changing, id: CameraId }), answer: empty },
  /** All cameras, oldest first. */
  'cameras.list': {
    question: z.strictObject(owned),
    answer: z.strictObject({ cameras: z.array(CameraSchema) }),
  },
  /**
   * Takes or renews the lease of a camera, with the report of its watcher. CAMERA_TAKEN while another watcher holds it. Blob of
   * the request: a JPEG picture, or none. It is kept until the next report if somebody wants it.
   */
  'camera.lease': {
    question: z.strictObject({ ...watched, report: CameraReportSchema }),
    answer: z.strictObject({ wanted: z.boolean() }),
  },
  /** Ends the lease of this watcher. Nothing changes when another watcher holds the camera. */
  'camera.release': { question: z.strictObject(watched), answer: empty },
  'camera.state': {
    question: z.strictObject({ ...owned, id: CameraId }),
    answer: z.strictObject({ state: CameraStateSchema }),
  },
  /** Asks the watcher of a camera for pictures. Blob of the response: the last one, or none yet. NOT_FOUND without a watcher. */
  'camera.picture': { question: z.strictObject({ ...owned, id: CameraId }), answer: empty },
} as const
