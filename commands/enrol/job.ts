/** A job: the finished photos of a list. All its runs append to one file, a line per photo. */
import { open, truncate, writeFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import type { OutcomeName } from '../../clients/typescript/src/enrolment.ts'
import { ignoreCode } from '../../core/files/inspect.ts'
import { openRegular } from '../terminal/bounded-file.ts'
import { jsonIn } from '../terminal/command-line.ts'
import { OUTCOMES } from './outcome.ts'

/** First line of the file. */
interface JobHeader {
  mien: 'enrol'
  version: 1
  /** Path of the list, relative to the folder of the job file. */
  list: string
  /** Origin of the service. */
  service: string
  /** Options that decide how every photo is enrolled, by their names on the command line. */
  options: Readonly<Record<string, string>>
}

/** A finished photo. Holds no pixels and no embeddings. */
export interface JobLine {
  /** Name of the photo: see `Row`. */
  name: string
  /** See `Photo`. */
  key: string
  hash: string
  outcome: OutcomeName
  meta: string
  /** Line of the list. */
  line?: number
  /** Ids of the enrolled faces. */
  faces?: number[]
  /** Faces on the photo, if the biggest of several was enrolled. */
  seen?: number
  /** Why the photo is not enrolled. */
  reason?: string
  /** An enrolled face with another meta that is similar. The confidence is 0 to 1. */
  similar?: { face: number; meta: string; confidence: number }
}

export type Job = Awaited<ReturnType<typeof openJob>>

interface JobPlace extends Pick<JobHeader, 'service' | 'options'> {
  path: string
  /** Absolute path of the list. */
  list: string
  /** Start over. */
  restart: boolean
}

/** Enrolled faces that are checked: a deleted face is no proof of another service. */
const CHECKED_FACES = 5

/**
 * Opens the job of a list. `isKnown` tells whether the service has a face of an earlier run. Throws an Error for the operator when
 * the file is no job file, is damaged, or belongs to another list, service or options.
 */
export async function openJob(
  { path, list, service, options, restart }: JobPlace,
  isKnown: (face: number, hash: string) => Promise<boolean>,
) {
  const place = relative(dirname(path), list).replaceAll(sep, '/')
  const header: JobHeader = { mien: 'enrol', version: 1, list: place, service, options }
  const found = restart ? undefined : await readJob(path)
  if (found) {
    requireSame(path, found.header, header)
    const enrolled = found.lines.filter(({ faces = [] }) => faces.length > 0).slice(-CHECKED_FACES)
    const known = await Promise.all(enrolled.map(({ faces, hash }) => isKnown(faces![0]!, hash)))
    // The same faces are the same service, at whatever address. A job without faces needs the same address.
    if (known.length === 0 ? found.header.service !== service : !known.includes(true))
      throw new Error(otherService(path, found.header.service, service))
    await truncate(path, found.end)
  } else await writeFile(path, `${JSON.stringify(header)}\n`, { mode: 0o600, flush: true })

  /** By key and name. */
  const lines = new Map<string, JobLine>()
  /** Rows of the list by id, as far as this run has read it. */
  const listed = new Map<string, number>()
  const claims = new Map<string, string>()
  const keep = (line: JobLine) => {
    lines.set(idOf(line), line)
    if (line.outcome === 'enrolled') claims.set(line.key, line.name)
  }
  for (const line of found?.lines ?? []) keep(line)
  const file = await open(path, 'as')
  await file.chmod(0o600)
  let written = Promise.resolve()
  return {
    /** Photos that earlier runs have finished. */
    finishedBefore: [...lines.values()].filter(isFinal).length,
    /**
     * Whether a run has finished this file with these fields, or an earlier row of the list has them. Marks the photo as part of
     * the list.
     */
    isFinished(photo: { key: string; name: string }) {
      const line = lines.get(idOf(photo))
      const rows = (listed.get(idOf(photo)) ?? 0) + 1
      listed.set(idOf(photo), rows)
      if (rows > 1) return true
      // The photo whose duplicate it is may never have been enrolled.
      return line !== undefined && isFinal(line) && (line.outcome !== 'duplicate' || claims.has(photo.key))
    },
    /** Names of the photos that are enrolled or under way, by their keys. */
    claims,
    /** Resolves when the line is durable. After a failure every call rejects. */
    async finish(line: JobLine) {
      written = written.then(() => file.appendFile(`${JSON.stringify(line)}\n`))
      await written
      keep(line)
    },
    /**
     * The last line of each photo, and a duplicate for each further row with the same file and fields. `listedOnly`: only photos of
     * the list as it is now. After a replaced photo, the job has a line of the old one, too.
     */
    lines: (listedOnly: boolean): JobLine[] =>
      [...lines].flatMap(([id, line]) => {
        const rows = listed.get(id) ?? (listedOnly ? 0 : 1)
        const { name, key, hash, meta } = line
        return Array.from({ length: rows }, (_, row) =>
          row === 0 ? line : { name, key, hash, meta, outcome: 'duplicate' },
        )
      }),
    close: () => file.close(),
  }
}

const idOf = ({ key, name }: { key: string; name: string }) => `${key} ${name}`

const isFinal = ({ outcome }: JobLine) => OUTCOMES[outcome].isFinal

/** Beginning of every file. */
const MARK = Buffer.from('{"mien":"enrol","version":1,')

/**
 * Reads a job file. `end` is the byte behind its last whole line: a crash may leave a part of a line. Undefined without a file,
 * or with a part of the header.
 */
async function readJob(
  path: string,
): Promise<{ header: JobHeader; lines: JobLine[]; end: number } | undefined> {
  const file = await openRegular(path).catch(ignoreCode('ENOENT'))
  if (!file) return undefined
  const bytes = await file.readFile().finally(() => file.close())
  const end = bytes.lastIndexOf(LF) + 1
  const hasMark = MARK.subarray(0, bytes.length).equals(bytes.subarray(0, MARK.length))
  if (end === 0 && hasMark) return undefined
  const [first, ...rest] = wholeLines(bytes)
  const header = first && hasMark && (jsonIn(first.toString()) as JobHeader | undefined)
  if (!header)
    throw new Error(`${path} is no job file of this version. Remove it, or name another with --job.`)
  const lines = rest.map((line, i) => {
    const photo = jsonIn(line.toString()) as JobLine | undefined
    if (typeof photo?.key === 'string' && photo.outcome in OUTCOMES) return photo
    throw new Error(`${path}: line ${i + 2} is damaged. Start over with --restart.`)
  })
  return { header, lines, end }
}

const LF = 0x0a

function* wholeLines(bytes: Buffer): Generator<Buffer> {
  for (let at = 0, end = bytes.indexOf(LF); end >= 0; at = end + 1, end = bytes.indexOf(LF, at))
    yield bytes.subarray(at, end)
}

const ADVICE = 'Name another job file with --job, or start over with --restart.'

/** With other options every photo would be another enrolment, and be stored again. */
function requireSame(path: string, before: JobHeader, now: JobHeader) {
  if (before.list !== now.list) throw new Error(`${path} belongs to the list ${before.list}. ${ADVICE}`)
  const names = Object.keys({ ...before.options, ...now.options })
  const other = names.find(name => before.options[name] !== now.options[name])
  if (other === undefined) return
  const value = before.options[other]
  const was = value === undefined ? `without --${other}` : `with --${other} ${JSON.stringify(value)}`
  throw new Error(
    `${path} was made ${was}. Use the same options, or name another job file with --job: then every photo is enrolled again.`,
  )
}

const otherService = (path: string, before: string, now: string) =>
  before === now
    ? `The photos that ${path} records are not enrolled for this token at ${now}. They were deleted, or are of another owner. ${ADVICE}`
    : `${path} belongs to the service ${before}: the photos that it records are not enrolled at ${now}. ${ADVICE}`
