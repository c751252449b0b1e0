/** State and readiness of this core. */
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { ServiceError } from '../../../contract/errors.ts'
import { PACK_LIMITS } from '../../../contract/limits/packs.ts'
import type { ServiceState } from '../../../contract/model/service-state.ts'
import type { RpcResponse } from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import type { CalibrationReport } from '../../calibration/scale.ts'
import { BACKUP_REQUESTED, type BackupTimes, backupTimes } from '../../metadata/audit-log/entries.ts'
import { ping } from '../../metadata/database.ts'
import type { Metadata, Services } from '../services.ts'
import { refuseOneOfSeveral } from './settings.ts'

/** Facts of the process. */
export interface ServiceFacts {
  version: string
  laterVersion?: string
  pack: string
  /** Label of the embedder (embedding/label.ts). */
  embedder: string
  /** Unix milliseconds. */
  started: number
  /** The calibration in use, and its rows of score and confidence. */
  calibration?: { report: CalibrationReport; curve: readonly (readonly [number, number])[] }
  /** Whether the start names a place for backups. */
  hasBackupPlace: boolean
  /** Whether the launcher follows the setting `watch_cameras`. */
  hasWatcher: boolean
  durations(): Promise<ServiceState['durations']>
}

export async function serviceState(
  { database, vectors, diskSpace }: Pick<Services, 'database' | 'vectors' | 'diskSpace'>,
  facts: ServiceFacts,
): Promise<ServiceState> {
  const { version, laterVersion, pack, embedder, started, calibration, hasBackupPlace, durations } = facts
  const available = (await vectors.states()).map(({ isAvailable }) => isAvailable)
  return {
    version,
    later_version: laterVersion,
    pack,
    embedder,
    started: timestampText(started * 1000),
    disk_full: await diskSpace.isFull(),
    shards: { live: available.filter(isLive => isLive).length, total: available.length, available },
    calibration: calibration && calibrationState(calibration),
    ...(facts.hasWatcher && { has_watcher: await isOnPath('ffmpeg') }),
    backup: {
      ...(hasBackupPlace && { has_place: true }),
      ...backupState(await backupTimes(database)),
    },
    durations: await durations(),
  }
}

/** Whether the machine has a program with this name now. */
async function isOnPath(name: string) {
  const file = process.platform === 'win32' ? `${name}.exe` : name
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    if (
      await access(join(folder, file), constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return true
  return false
}

/** The times that were, as texts. */
const backupState = (times: BackupTimes): ServiceState['backup'] =>
  Object.fromEntries(
    Object.entries(times).flatMap(([name, micros]) =>
      micros === undefined ? [] : [[name, timestampText(micros)]],
    ),
  )

function calibrationState({
  report: { table, thresholds, calibrations },
  curve,
}: NonNullable<ServiceFacts['calibration']>): ServiceState['calibration'] {
  const measured = calibrations.measured?.[table]
  return {
    table,
    thresholds: (['low', 'medium', 'strict'] as const).map(name => ({
      name,
      confidence: thresholds[name],
      ...(measured && {
        fmr: table === 'alike' ? measured[name].alike : measured[name].strangers,
        tmr: measured[name].same,
      }),
    })),
    curve: thinPoints(curve, PACK_LIMITS.calibrationPoints).map(([score, confidence]) => ({
      score,
      confidence,
    })),
  }
}

/** At most `most` of the points at equal distances in the list, with the first and the last one. */
export function thinPoints<Point>(points: readonly Point[], most: number): Point[] {
  if (points.length <= most) return [...points]
  return Array.from({ length: most }, (_, i) => points[Math.round((i * (points.length - 1)) / (most - 1))]!)
}

/** Records the request for a backup in the audit log, where commands/backup/follow.ts reads it. Throws NOT_FOUND and FORBIDDEN. */
export async function requestBackup(
  { database, record }: Pick<Services, 'database' | 'record'>,
  { hasBackupPlace }: Pick<ServiceFacts, 'hasBackupPlace'>,
): Promise<RpcResponse<'backup.request'>> {
  if (!hasBackupPlace) throw new ServiceError('NOT_FOUND', { reason: NO_BACKUP_PLACE })
  await refuseOneOfSeveral(database, 'mien backup REPOSITORY')
  await record({ actor: 'service', action: BACKUP_REQUESTED })
  return {}
}

const NO_BACKUP_PLACE =
  'The start of the service names no place for backups. Its operator can, with: mien start --backup-to REPOSITORY'

/** Resolves when the database, which every request needs, responds. Throws SERVICE_UNAVAILABLE. */
export async function ready({ database }: Metadata): Promise<RpcResponse<'ready'>> {
  try {
    await ping(database)
  } catch (cause) {
    throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause })
  }
  return {}
}
