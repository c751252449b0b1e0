/** RPC operations on cameras. See operations.ts. */
import * as z from 'zod'
import { CameraId, CameraSchema } from '../model/camera.ts'
import { NewRetentionDays } from '../model/retention.ts'
import { changing, empty, owned } from './fields.ts'

/** Fields of a camera that can change. */
const CameraChangeSchema = CameraSchema.omit({ id: true, detector: true }).extend({
  retention_days: NewRetentionDays.optional(),
})

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
} as const
