/** Prints a status for people. */
import { coloured, type Grade } from '../terminal/colours.ts'
import { printTable } from '../terminal/table.ts'
import { minuteText } from '../terminal/times.ts'
import type { GalleryStatus, HalfStatus, Status } from './status.ts'

const GRADES: Record<Status['state'], Grade> = { ready: 'ok', degraded: 'warning', stopped: 'problem' }

export function printStatus(status: Status): void {
  const { state, version, data, core, edge, pack, disk, galleries, shards, problems } = status
  console.log(`Mien ${version} is ${coloured(GRADES[state], state)}.\n`)
  printRow('core', halfText(core))
  printRow('edge', halfText(edge))
  printRow('data', data)
  printRow('pack', pack)
  printRow('disk', `${megabytes(disk.free)} MB free, ${megabytes(disk.needed)} MB needed`)
  printRow('backup', ageText(status.last_backup) + failureText(status))
  printRow('drill', ageText(status.last_drill))
  if (galleries) printRow('store', `${galleries.vectors} vectors in ${galleries.total} galleries`)
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
