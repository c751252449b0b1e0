/** RPC operations on cameras. See operations.ts. */
import * as z from 'zod'
import { CameraId, CameraSchema } from '../model/camera.ts'
import { NewRetentionDays } from '../model/retention.ts'
import { CameraReportSchema, CameraStateSchema, WatcherName } from '../model/watching/camera-state.ts'
import { change, changing, empty, owned } from './fields.ts'

/** Fields of a camera that can change. */
const CameraChangeSchema = CameraSchema.omit({ id: true, detector: true }).extend({
  retention_days: NewRetentionDays.optional(),
})

/** Fields of the requests of a watcher. */
const watched = { ...owned, id: CameraId, watcher: WatcherName }

const CameraAnswer = z.strictObject({ camera: CameraSchema })

/** What the audit log records of a new or changed camera. */
const auditedCamera = (_: unknown, { camera }: z.infer<typeof CameraAnswer>) => ({
  camera: camera.id,
  retention_days: camera.retention_days,
})

export const CAMERA_OPERATIONS = {
  /** Creates a camera. Absent fields stay unset. */
  'camera.create': change({
    question: z.strictObject({
      ...changing,
      camera: CameraChangeSchema.extend({ detector: z.string().optional() }),
    }),
    answer: CameraAnswer,
    audit: auditedCamera,
  }),
  'camera.get': { question: z.strictObject({ ...owned, id: CameraId }), answer: CameraAnswer },
  /** Changes the given fields. An absent `rot` or `roi` is removed. */
  'camera.update': change({
    question: z.strictObject({
      ...changing,
      id: CameraId,
      camera: CameraChangeSchema.partial(),
    }),
    answer: CameraAnswer,
    audit: auditedCamera,
  }),
  'camera.delete': change({
    question: z.strictObject({ ...changing, id: CameraId }),
    answer: empty,
    audit: ({ id }) => ({ camera: id }),
    disk: 'frees',
  }),
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
    disk: 'writes',
  },
  /** Ends the lease of this watcher. Nothing changes when another watcher holds the camera. */
  'camera.release': { question: z.strictObject(watched), answer: empty, disk: 'frees' },
  'camera.state': {
    question: z.strictObject({ ...owned, id: CameraId }),
    answer: z.strictObject({ state: CameraStateSchema }),
  },
  /** Asks the watcher of a camera for pictures. Blob of the response: the last one, or none yet. NOT_FOUND without a watcher. */
  'camera.picture': { question: z.strictObject({ ...owned, id: CameraId }), answer: empty, disk: 'writes' },
} as const
