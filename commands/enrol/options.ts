/** Converts the options of `mien enrol` to its command. */
import { dataFolder, pathOf } from '../terminal/paths.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { type EnrolCommand, enrol } from './enrol.ts'
import { FIELDS, type Field } from './list/row.ts'
import { unknownName } from './list/unknown-name.ts'

/** Options as commander parses them. */
export interface Given {
  data?: string
  url?: string
  tokenFile?: string
  meta?: string
  galleries?: string
  camera?: string
  time?: string
  selector: string
  pattern?: string
  column?: string[]
  ignoreColumn?: string[]
  delimiter?: string
  skipBadRows?: true
  followLinks?: true
  dryRun?: true
  minQuality?: number
  checkOthers?: NonNullable<EnrolCommand['checkOthers']> | true
  createGalleries?: true
  job?: string
  restart?: true
  report?: string
  json?: true
}

/** Runs the command and returns the exit code. Throws UsageError, and Errors for the operator. */
export async function enrolGiven(given: Given, list: string): Promise<number> {
  const { meta, galleries, camera, time, selector, checkOthers } = given
  return enrol({
    path: pathOf(list),
    defaults: { meta, galleries, camera, time, selector },
    pattern: given.pattern,
    columns: given.column && columnsOf(given.column),
    ignored: given.ignoreColumn,
    delimiter: given.delimiter,
    url: given.url,
    tokenFile: given.tokenFile,
    data: dataFolder(given.data),
    minQuality: given.minQuality,
    checkOthers: checkOthers === true ? 'strict' : checkOthers,
    job: given.job && pathOf(given.job),
    report: given.report && pathOf(given.report),
    restart: given.restart ?? false,
    dryRun: given.dryRun ?? false,
    json: given.json ?? false,
    skipBadRows: given.skipBadRows ?? false,
    followLinks: given.followLinks ?? false,
    createGalleries: given.createGalleries ?? false,
  })
}

/** `file=photo` -> the name of the column of each field. Throws UsageError. */
export function columnsOf(given: readonly string[]): { [F in Field]?: string } {
  const columns = given.map(text => {
    const [field = '', ...name] = text.split('=')
    if (!FIELDS.some(known => known === field)) throw new UsageError(unknownName('field', field, FIELDS))
    if (name.join('') === '') throw new UsageError(`--column takes FIELD=NAME, not "${text}".`)
    return [field, name.join('=')] as const
  })
  return Object.fromEntries(columns)
}
