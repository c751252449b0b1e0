/** The status of a service, as `mien status --json` prints it, and as text for people. */
import { counted } from '../../contract/counted.ts'
import { coloured, type Grade, printTable } from '../terminal/table.ts'
import { minuteText } from '../terminal/times.ts'

/** One half of the service. */
export interface HalfStatus {
  /** Undefined when no address is known: the half is not checked. */
  url: string | undefined
  /** Whether the process answers. */
  up: boolean
  /** Core: `ready`, `degraded` or `not ready`, with the reason of core. */
  state: string
}

export interface GalleryStatus {
  gallery: string
  /** Names of owner and gallery. Absent for a gallery of store operators, and while the owners are not known. */
  owner?: string
  name?: string
  /** Numbers of vectors by space. */
  linear: number
  preindex: number
  indexed: number
  index: string
}

export interface ShardStatus {
  /** `local`, the origin of another core, or the address of a database without its password. */
  address: string
  /** Ranges of cells, like `0-511`. */
  cells: string
  /** `up`, `away`, or `not checked` for a database. */
  state: string
}

export interface Status {
  /** `ready`: everything answers. `degraded`: a part does not. `stopped`: nothing answers. */
  state: 'ready' | 'degraded' | 'stopped'
  /** Version of this installation. */
  version: string
  /** A later release that core knows. */
  later_version: string | undefined
  data: string
  core: HalfStatus
  edge: HalfStatus
  /** Name of the pack: in use, or of the next start. */
  pack: string
  /** Bytes on the disk of the data folder. */
  disk: { free: number; needed: number }
  /** Undefined while core does not answer, or wants another operator token. */
  galleries: { total: number; vectors: number; largest: GalleryStatus[] } | undefined
  shards: ShardStatus[]
  /**
   * End of the last complete backup, of the last failed one, and of the last drill without a fault, ISO 8601 in UTC; null
   * for never. Undefined when it is not known.
   */
  last_backup: string | null | undefined
  last_backup_failure: string | null | undefined
  last_drill: string | null | undefined
  /** What is wrong, for the operator. */
  problems: string[]
}

const GRADES: Record<Status['state'], Grade> = { ready: 'ok', degraded: 'warning', stopped: 'problem' }

export function printStatus(status: Status): void {
  const { state, version, data, core, edge, pack, disk, galleries, shards, problems } = status
  console.log(`Mien ${version} is ${coloured(GRADES[state], state)}.\n`)
  if (status.later_version) printRow('update', `${status.later_version} is out: see docs/upgrade.md`)
  printRow('core', halfText(core))
  printRow('edge', halfText(edge))
  printRow('data', data)
  printRow('pack', pack)
  printRow('disk', `${megabytes(disk.free)} MB free, ${megabytes(disk.needed)} MB needed`)
  printRow('backup', ageText(status.last_backup) + failureText(status))
  printRow('drill', ageText(status.last_drill))
  if (galleries)
    printRow(
      'store',
      `${counted(galleries.vectors, 'vector')} in ${counted(galleries.total, 'gallery', 'galleries')}`,
    )
  else if (core.up) printRow('store', 'not known: core needs MIEN_OPERATOR_TOKEN')
  if (galleries && galleries.total > 0) printSection(galleries.largest.map(galleryRow))
  if (shards.length > 0)
    printSection(shards.map(({ address, cells, state }) => ({ shard: address, cells, state })))
  for (const problem of problems) console.error(problem)
}

/** Every face is in the gallery `default` of its owner, and counts once for each gallery. */
function galleryRow({
  gallery,
  owner = '',
  name = gallery,
  linear,
  preindex,
  indexed,
  index,
}: GalleryStatus) {
  const faces = linear + preindex + indexed
  return { owner, gallery: name, faces, indexed, index: INDEX_TEXTS[index] ?? index }
}

/** Words for the state of an index. A small gallery is searched face by face. */
const INDEX_TEXTS: Record<string, string> = { none: 'not needed yet', failed: 'failed, see the log of core' }

const printRow = (name: string, text: string): void => console.log(`  ${name.padEnd(6)}  ${text}`)

function printSection(rows: Parameters<typeof printTable>[0]): void {
  console.log()
  printTable(rows, '')
}

function halfText({ url, state }: HalfStatus): string {
  const grade = state === 'ready' ? 'ok' : 'problem'
  return `${coloured(grade, state)}${url === undefined ? '' : `  ${url}`}`
}

/** Milliseconds of a day. */
const DAY_MS = 86_400_000

function ageText(made: Status['last_backup']): string {
  if (made === undefined) return 'not known'
  if (made === null) return 'none'
  const days = Math.floor((Date.now() - Date.parse(made)) / DAY_MS)
  const age = new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-days, 'day')
  return `${minuteText(Date.parse(made) * 1000)} UTC, ${age}`
}

/** A failure after the last complete backup. */
function failureText({ last_backup: made, last_backup_failure: failed }: Status): string {
  if (!failed || (made && Date.parse(made) > Date.parse(failed))) return ''
  return `; ${coloured('problem', 'failed')} ${ageText(failed)}`
}

const megabytes = (bytes: number): number => Math.floor(bytes / 2 ** 20)
