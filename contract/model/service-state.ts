/** The state and the settings of the service. They have no numbers about the data of owners. */
import * as z from 'zod'
import { PACK_LIMITS } from '../limits/packs.ts'
import { STORE_LIMITS } from '../limits/store.ts'
import { Natural, Share } from '../scalars.ts'

const NamedThresholdSchema = z.strictObject({
  name: z.enum(['low', 'medium', 'strict']),
  confidence: Share,
  fmr: Share.optional().describe('Share of pairs of different people that match, where it is measured.'),
  tmr: Share.optional().describe('Share of pairs of one person that match, where it is measured.'),
})

const CalibrationStateSchema = z.strictObject({
  table: z.enum(['default', 'alike']),
  thresholds: z.array(NamedThresholdSchema),
  curve: z
    .array(z.strictObject({ score: z.number(), confidence: Share }))
    .max(PACK_LIMITS.calibrationPoints)
    .describe('From scores to confidences. Lines connect the points.'),
})

const DurationSchema = z.strictObject({
  operation: z.string(),
  p50: z.number().min(0),
  p99: z.number().min(0),
})

export const ServiceStateSchema = z
  .strictObject({
    version: z.string(),
    later_version: z.string().optional().describe('A later release, if `update_url` names where to ask.'),
    pack: z.string().describe('The pack of models.'),
    embedder: z.string().describe('The model of the vectors.'),
    started: z.string().describe('Start of the core that answers.'),
    disk_full: z.boolean().describe('True while writes are refused because of a full disk.'),
    shards: z.strictObject({
      live: Natural,
      total: Natural,
      available: z.array(z.boolean()).describe('By shard, in the order of the layout.'),
    }),
    calibration: CalibrationStateSchema.optional(),
    has_watcher: z
      .boolean()
      .optional()
      .describe(
        'A watcher of cameras runs beside the core while `watch_cameras` is on. `false`: its machine lacks ffmpeg.',
      ),
    backup: z
      .strictObject({
        has_place: z
          .boolean()
          .optional()
          .describe(
            'The start of the service names the place of backups: they can be asked for, and repeated.',
          ),
        requested: z.string().optional().describe('The last request for a backup.'),
        started: z.string().optional().describe('The last start of a backup.'),
        completed: z.string().optional().describe('End of the last complete backup.'),
        failed: z.string().optional().describe('End of the last failed backup into a repository.'),
        drilled: z.string().optional().describe('End of the last drill without a fault.'),
      })
      .describe('Backups by `mien backup`. An absent time: never.'),
    durations: z
      .array(DurationSchema)
      .describe(
        'Estimated seconds from request to response since the start of the core, for requests of all owners.',
      ),
  })
  .meta({ id: 'ServiceState' })
export type ServiceState = z.infer<typeof ServiceStateSchema>

/** The settings by their names in facenapi.ini, which has their initial values. */
export const SettingsSchema = z.strictObject({
  person_identify: z.boolean(),
  person_identify_global: z.boolean(),
  /** Null: not set. */
  person_identify_threshold: Share.nullable(),
  record_searches: z.boolean(),
  backup_hours: Natural.max(STORE_LIMITS.backupHours),
  watch_cameras: z.boolean(),
})
export type Settings = z.infer<typeof SettingsSchema>
export type SettingName = keyof Settings

export const SETTING_NAMES = Object.keys(SettingsSchema.shape) as SettingName[]

/** Where an option has its value from: the metadata, a variable, facenapi.ini, or the service itself. */
const ORIGINS = ['setting', 'environment', 'file', 'default'] as const
export type Origin = (typeof ORIGINS)[number]

const value = z.union([z.boolean(), z.number()]).nullable()

export const ServiceSettingsSchema = z
  .strictObject({
    settings: z.array(
      z.strictObject({
        name: z.enum(SETTING_NAMES),
        value: value.describe('Null: not set.'),
        origin: z
          .enum(ORIGINS)
          .describe('`setting`: changed while the service ran. Otherwise the value is the initial one.'),
        initial: value.describe('The value after a reset: of a variable, of facenapi.ini, or the default.'),
      }),
    ),
    fixed_by: z
      .enum(['owners'])
      .optional()
      .describe('Why this API cannot change the settings: the service has several owners.'),
  })
  .meta({ id: 'ServiceSettings' })
export type ServiceSettings = z.infer<typeof ServiceSettingsSchema>
