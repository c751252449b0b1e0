/** Evidence: events with their pictures, clips and a table as one ZIP file with a signed manifest; and the keys that sign. */
import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { csvFile } from '../../../contract/csv.ts'
import { badParam, ServiceError, wrongValue } from '../../../contract/errors.ts'
import { EVIDENCE_LIMITS } from '../../../contract/limits/events.ts'
import { nameOfPerson } from '../../../contract/model/person.ts'
import type {
  RpcRequest,
  RpcResponse,
  StreamEnd,
  StreamItem,
  StreamRequest,
} from '../../../contract/operations/messages.ts'
import { timestampText } from '../../../contract/timestamps.ts'
import { zipWriter } from '../../files/zip.ts'
import { camerasOf } from '../../metadata/cameras/cameras.ts'
import { nextEvents, type StoredEvent } from '../../metadata/events/events.ts'
import {
  evidenceKeysOf,
  insertEvidenceKey,
  type StoredEvidenceKey,
} from '../../metadata/events/evidence-keys.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import { personsById } from '../../metadata/persons/persons.ts'
import { PICTURES, type PictureKind } from '../../pictures/pictures.ts'
import { isTimeZone } from '../alerts/conditions.ts'
import { galleryParameter } from '../galleries/galleries.ts'
import { refuseOneOfSeveral } from '../service/settings.ts'
import type { Metadata, Services } from '../services.ts'

type Asked = StreamRequest<'evidence.export'>
type Part = StreamItem<'evidence.export'>

/** The zone of this machine. */
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** A file of the export, as the manifest has it. */
interface ListedFile {
  name: string
  bytes: number
  sha256: string
}

/**
 * Yields the bytes of the file. Throws RATE_LIMITED for too many concurrent exports, and NOT_FOUND without an event. Throws
 * BAD_PARAM for too many events, and for an unknown zone or gallery.
 */
export async function* exportEvidence(
  services: Services,
  request: Asked,
): AsyncGenerator<Part[], StreamEnd<'evidence.export'>> {
  const running = services.exports.subscribe(request.owner)
  try {
    return yield* evidenceParts(services, request)
  } finally {
    running.close()
  }
}

async function* evidenceParts(
  services: Services,
  { owner, event, filter, timeZone = OWN_ZONE }: Asked,
): AsyncGenerator<Part[], StreamEnd<'evidence.export'>> {
  if (!isTimeZone(timeZone))
    throw wrongValue('time_zone', timeZone, 'the name of a time zone, such as Europe/Berlin')
  const events = await selectedEvents(services, owner, event, filter)
  const [key] = await keysIn(services)
  const created = services.now()
  const zip = zipWriter(created)
  const files: ListedFile[] = []
  const omitted: string[] = []
  const listed = (name: string, bytes: Uint8Array): Uint8Array[] => {
    files.push({ name, bytes: bytes.length, sha256: hash('sha256', bytes) })
    return zip.file(name, bytes)
  }
  let left: number = EVIDENCE_LIMITS.bytes
  for (const one of events)
    for (const kind of kindsOf(one)) {
      const name = `${one.id}/${PICTURES[kind].file}`
      const bytes = await services.pictures.read({ owner, id: one.id }, kind)
      if (!bytes || bytes.length > left) omitted.push(name)
      else {
        left -= bytes.length
        yield* partsOf(listed(name, bytes))
      }
    }
  yield* partsOf(listed('events.csv', Buffer.from(await tableOf(services, owner, events, timeZone))))
  const about = {
    format: 'mien-evidence',
    version: 1,
    // One key signs for all owners: the camera of one could have the name of another's.
    owner,
    created: `${timestampText(created * 1000)}Z`,
    time_zone: timeZone,
    events: events.length,
    files,
    omitted,
  }
  const manifest = Buffer.from(`${JSON.stringify(about, null, 2)}\n`)
  yield* partsOf([
    ...zip.file('manifest.json', manifest),
    ...zip.file('manifest.sig', sign(null, manifest, key!.privateKey!)),
    ...zip.file('public-key.pem', Buffer.from(key!.publicKey)),
    ...zip.end(),
  ])
  return {}
}

/** Oldest first. */
async function selectedEvents(
  services: Services,
  owner: string,
  event: number | undefined,
  filter: Asked['filter'],
): Promise<StoredEvent[]> {
  const selected = { ...filter, gallery: await galleryParameter(services, owner, filter.gallery) }
  const [below, limit] =
    event === undefined
      ? [Number.MAX_SAFE_INTEGER, EVIDENCE_LIMITS.events + 1]
      : [Math.min(event + 1, Number.MAX_SAFE_INTEGER), 1]
  const found = await nextEvents(services.database, friendRule(services), owner, selected, { below, limit })
  const events = found.filter(({ id }) => event === undefined || id === event)
  if (events.length === 0) throw new ServiceError('NOT_FOUND', { reason: 'No event meets the filter.' })
  if (events.length > EVIDENCE_LIMITS.events)
    throw badParam(
      'end',
      null,
      `More than ${EVIDENCE_LIMITS.events} events meet the filter. Ask for a shorter time.`,
    )
  return events.reverse()
}

const kindsOf = ({ snapshot, clip }: StoredEvent): PictureKind[] => [
  'thumbnail',
  ...(snapshot ? (['snapshot'] as const) : []),
  ...(clip ? (['clip'] as const) : []),
]

function* partsOf(pieces: readonly Uint8Array[]): Generator<Part[]> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += EVIDENCE_LIMITS.chunkBytes)
      yield [{ bytes: Buffer.from(piece.subarray(at, at + EVIDENCE_LIMITS.chunkBytes)).toString('base64') }]
}

async function tableOf(
  { database }: Metadata,
  owner: string,
  events: readonly StoredEvent[],
  timeZone: string,
) {
  const ids = [...new Set(events.map(({ personId }) => personId))].filter(id => typeof id === 'number')
  const persons = new Map<unknown, string>(
    (await personsById(database, owner, ids)).map(({ id, meta }) => [id, nameOfPerson(meta)]),
  )
  const cameras = new Map((await camerasOf(database, owner)).map(({ id, meta }) => [id, meta]))
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZoneName: 'longOffset',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const rows = events.map(one => [
    one.id,
    clock.format(one.timestamp / 1000),
    `${timestampText(one.timestamp)}Z`,
    cameras.get(one.camera) ?? '',
    one.camera,
    one.personId,
    persons.get(one.personId) || one.meta,
    ...(one.personId === null ? [nameOfPerson(one.candidateMeta ?? ''), one.candidateConfidence] : ['', '']),
    one.photoHash,
  ])
  const head = ['event', `time (${timeZone})`, 'time (UTC)', 'camera', 'camera_id', 'person_id', 'name']
  return csvFile([...head, 'probably', 'confidence', 'photo_hash'], rows)
}

export const newPair = () =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** The first key is made also on a full disk, from the reserve. */
const keysIn = ({ database, diskSpace, now }: Services) =>
  diskSpace.deleting(() => evidenceKeysOf(database, newPair, now() * 1000))

const keyAnswer = ({ id, publicKey, privateKey, created }: StoredEvidenceKey) => ({
  id,
  public_key: publicKey,
  created: timestampText(created),
  signs: privateKey !== null,
})

export const evidenceHandlers = {
  'evidence.export': exportEvidence,

  async 'evidence.keys'(services: Services): Promise<RpcResponse<'evidence.keys'>> {
    return { keys: (await keysIn(services)).map(keyAnswer) }
  },

  async 'evidence.key'(
    { database, now }: Services,
    _: RpcRequest<'evidence.key'>,
  ): Promise<RpcResponse<'evidence.key'>> {
    await refuseOneOfSeveral(database, 'mien secrets rotate evidence')
    return { key: keyAnswer(await insertEvidenceKey(database, newPair(), now() * 1000)) }
  },
}
