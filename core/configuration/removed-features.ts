/** Remains of removed features in an installation of 0.2.0: variables, and a file in the data folder. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceAndWipe, syncFolder } from '../files/durable.ts'
import { ConfigurationError } from './environment.ts'

/** Variables that made core export traces. */
const TRACES = /^OTEL_(EXPORTER_OTLP|TRACES)_/

/** Throws ConfigurationError when variables of traces are set: the operator would miss the traces. */
export function refuseTraces(environment: Record<string, string | undefined>): void {
  const removed = Object.keys(environment).filter(name => TRACES.test(name) && environment[name])
  if (removed.length > 0)
    throw new ConfigurationError(
      `${removed.join(', ')}: core no longer exports traces. Unset it, and follow requests by the request_id ` +
        'of both logs and by the metrics (docs/monitoring.md).',
    )
}

/** Name in the data folder of the calibration of a site, which `mien calibrate` made. */
export const SITE_FILE = 'site-calibration.json'

/** Calls `announce` if there is a calibration of the site, then removes it: the file may contain embeddings. */
export async function removeSite(data: string, announce: () => void): Promise<void> {
  const path = join(data, SITE_FILE)
  if (!existsSync(path)) return
  announce()
  await replaceAndWipe(path, () => rm(path))
  await syncFolder(data)
}
