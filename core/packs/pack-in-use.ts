/** The pack in use, with all that depends on its detector. It can be replaced while requests are served. */
import { environment } from '../../contract/environment.ts'
import { announcement } from '../../contract/rpc/headers.ts'
import type { Calibration } from '../../models/calibrations.ts'
import { readerOf } from '../../models/files.ts'
import type { PlacedPack } from '../../models/packs.ts'
import { encodeVisionFile, visionFileId } from '../../models/vision-file.ts'
import type { CalibrationReport, Scale } from '../calibration/scale.ts'
import { chipLabel } from '../embedding/label.ts'
import { type AnalyzerCrash, type CoreAnalyzer, openAnalyzer } from '../photos/analyze.ts'

/** The calibration of scores. */
export interface CalibrationInUse {
  scale: Scale
  report: CalibrationReport
  /** Rows of score and confidence. */
  curve: Calibration
}

export interface PackInUse {
  pack(): PlacedPack
  calibration(): CalibrationInUse
  /** The scale of the calibration. It follows the pack. */
  readonly scale: Scale
  /** Value of PACK_HEADER (contract/rpc/headers.ts). */
  announced(): string
  /** What edges load (models/vision-file.ts). */
  visionFile(): Promise<Uint8Array>
  analyze: CoreAnalyzer['analyze']
  /**
   * Uses another pack with the same vectors. Analyses in progress end with the earlier one; edges follow the announcement. Throws,
   * and changes nothing, when a file is missing or damaged, or the pack has no calibration.
   */
  replace(next: PlacedPack): Promise<void>
  close(): Promise<void>
}

interface PackInUseOptions {
  pack: PlacedPack
  calibrate(pack: PlacedPack): CalibrationInUse
  onCrash(how: AnalyzerCrash, count: number): void
}

/** Throws for a file that is missing or damaged, and what `calibrate` throws. */
export async function openPackInUse({
  pack: first,
  calibrate,
  onCrash,
}: PackInUseOptions): Promise<PackInUse> {
  const visionFileOf = (pack: PlacedPack) =>
    encodeVisionFile(pack, chipLabel(pack), pack.files, readerOf(pack.files))
  const prepared = async (pack: PlacedPack, since: number) => ({
    ...{ pack, since },
    calibration: calibrate(pack),
    announced: announcement({ started: since, id: await visionFileId(await visionFileOf(pack)) }),
    analyzer: openAnalyzer({ pack, onCrash }),
  })
  let current = await prepared(first, environment.now())
  const analyzers = [current.analyzer]
  return {
    pack: () => current.pack,
    calibration: () => current.calibration,
    scale: {
      get label() {
        return current.calibration.scale.label
      },
      confidence: score => current.calibration.scale.confidence(score),
    },
    announced: () => current.announced,
    visionFile: () => visionFileOf(current.pack),
    analyze: (...photo) => current.analyzer.analyze(...photo),
    async replace(next) {
      // Edges follow the latest announcement.
      current = await prepared(next, Math.max(environment.now(), current.since + 1))
      analyzers.push(current.analyzer)
    },
    async close() {
      await Promise.all(analyzers.map(analyzer => analyzer.close()))
    },
  }
}
