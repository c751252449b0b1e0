/** The detectors that can take the place of the one in use: their list, their download, and the choice of one. */
import { badParam, ServiceError } from '../../contract/errors.ts'
import { PACK_LIMITS } from '../../contract/limits/packs.ts'
import type { Detectors } from '../../contract/model/service-state.ts'
import { filesOf, type PulledFile } from '../../models/file-entry.ts'
import type { PlacedFile } from '../../models/files.ts'
import { type PlacedPack, packsOf, requireUsable } from '../../models/packs.ts'
import { type Log, traceOf } from '../log.ts'
import { beginWriting } from '../metadata/connection/change.ts'
import type { Database } from '../metadata/database.ts'
import { ownerNames } from '../metadata/queries/owners.ts'
import {
  chosenName,
  chosenPack,
  hasSameVectors,
  withStoredEmbedder,
} from '../operations/upkeep/chosen-pack.ts'
import { type RepeatedTask, repeatedly } from '../operations/upkeep/repeatedly.ts'
import { choosePack, isPulled, pullFile, statesOf, wrongFiles } from './pack-files.ts'
import type { PackInUse } from './pack-in-use.ts'

export interface DetectorChoice {
  state(): Promise<Detectors>
  /**
   * Uses the detector of a pack, and downloads its missing files first, in the background. Throws BAD_PARAM for a pack that cannot
   * take the place of the one in use, and FORBIDDEN when the API may not change it.
   */
  use(pack: string): Promise<Detectors>
  /** Ends the task that follows the choice in the data folder. */
  stop(): Promise<void>
}

export interface DetectorOptions {
  data: string
  inUse: PackInUse
  database: Database
  /** The start of core names the pack: the choice in the data folder has no effect. */
  isFixed: boolean
  log: Log
  /** Interval of reading the choice in milliseconds. */
  everyMs?: number
}

const REASONS: Record<NonNullable<Detectors['fixed_by']>, string> = {
  start:
    'The start of the service names the pack, by --pack or MIEN_PACK. Start it without that, or change it there.',
  owners:
    'The detector is the same for all owners of this service, and one of them cannot change it. ' +
    'The operator can, with: mien models use PACK',
}

/** Opens the choice. A choice of another program, `mien models use`, takes effect within `everyMs`. */
export function openDetectors(options: DetectorOptions): DetectorChoice {
  const { data, inUse, database, isFixed, log } = options
  const inTurn = oneByOne()
  const downloads = packDownloads(log)

  const fixedBy = async (): Promise<Detectors['fixed_by']> => {
    if (isFixed) return 'start'
    return (await ownerNames(database)).length > 1 ? 'owners' : undefined
  }
  const state = async (): Promise<Detectors> => {
    const used = inUse.pack()
    const [packs, reason] = await Promise.all([detectorPacks(data, used), fixedBy()])
    const download = downloads.last()
    return {
      packs: await Promise.all(packs.map(pack => described(pack, used.name))),
      ...(download && download.pack !== used.name && { download }),
      ...(reason && { fixed_by: reason }),
    }
  }
  const choose = (pack: PlacedPack): Promise<void> =>
    inTurn(async () => {
      // The file comes last: a pack that cannot be used is not chosen.
      beginWriting()
      await inUse.replace(pack)
      await choosePack(data, pack)
      log('pack changed', { pack: pack.name })
    })
  const use = async (name: string): Promise<void> => {
    if (name === inUse.pack().name) return
    const refuse = (reason: string) => badParam('pack', name, reason)
    const reason = await fixedBy()
    if (reason) throw new ServiceError('FORBIDDEN', { reason: REASONS[reason] })
    const pack = (await detectorPacks(data, inUse.pack())).find(found => found.name === name)
    if (!pack) throw refuse('There is no detector of this pack: GET /detectors lists those that there are.')
    const missing = (await wrongFiles(pack)).map(([file]) => [file, pack.files[file]!] as const)
    if (!missing.every(isPulledEntry))
      throw refuse('Files of this pack are missing: mien models verify names them, on the machine of core.')
    const { pack: running, state: progress } = downloads.last() ?? {}
    if (progress !== 'running') {
      if (missing.length === 0) return choose(pack)
      beginWriting()
      void downloads.run(name, missing, () => choose(pack))
    } else if (running !== name) throw refuse(`The pack ${running} is being downloaded. Wait for its end.`)
  }

  return {
    state,
    use: name => use(name).then(state),
    stop: isFixed ? async () => {} : followChoice(options, inTurn).stop,
  }
}

type PulledEntry = readonly [name: string, file: PlacedFile & PulledFile]

const isPulledEntry = (entry: readonly [string, PlacedFile]): entry is PulledEntry => isPulled(entry[1])

/** Downloads the files of one pack, and keeps the progress. */
function packDownloads(log: Log) {
  let last: Detectors['download']
  return {
    last: () => last,
    async run(pack: string, files: readonly PulledEntry[], then: () => Promise<void>): Promise<void> {
      const progress = { pack, total: files.reduce((sum, [, { bytes }]) => sum + bytes, 0) }
      let whole = 0
      let arrived = 0
      const show = (state: 'running' | 'failed') => {
        last = { ...progress, state, bytes: whole + arrived }
      }
      show('running')
      try {
        for (const [name, file] of files) {
          await pullFile(name, file, bytes => {
            arrived = bytes
            show('running')
          })
          whole += file.bytes
          arrived = 0
        }
        await then()
        last = undefined
      } catch (error) {
        show('failed')
        log('detector not downloaded', { pack, ...traceOf(error) })
      }
    },
  }
}

/** Uses the chosen pack when the choice in the data folder changes. A choice that needs a new start is logged once. */
function followChoice(
  { data, inUse, log, everyMs = PACK_LIMITS.choiceEveryMs }: DetectorOptions,
  inTurn: (work: () => Promise<void>) => Promise<void>,
): RepeatedTask {
  let left: string | undefined
  const leave = (pack: string, facts: Parameters<Log>[1]) => {
    if (left !== pack) log('pack not changed', { pack, ...facts })
    left = pack
  }
  const follow = async (): Promise<void> => {
    const name = await chosenName(data)
    const isInUse = name === inUse.pack().name
    if (isInUse) left = undefined
    if (isInUse || name === left) return
    try {
      const next = requireUsable(await chosenPack(data))
      if (!hasSameVectors(next, inUse.pack())) return leave(name, { why: 'it needs a new start of core' })
      await inUse.replace(next)
      log('pack changed', { pack: name })
    } catch (error) {
      leave(name, traceOf(error))
    }
  }
  return repeatedly(everyMs, () => inTurn(follow).catch(error => leave('', traceOf(error))))
}

/** The packs with a calibration, and with the vectors of the pack in use. Throws PackRefused. */
async function detectorPacks(data: string, used: PlacedPack): Promise<PlacedPack[]> {
  const packs = await Promise.all((await packsOf(data)).map(pack => withStoredEmbedder(data, pack)))
  return packs.filter(pack => pack.embedder.calibration && hasSameVectors(pack, used))
}

async function described(pack: PlacedPack, used: string): Promise<Detectors['packs'][number]> {
  const { detector, landmarks, liveness } = pack
  const among = (names: readonly string[]) =>
    Object.fromEntries(names.map(name => [name, pack.files[name]!] as const))
  const states = (await statesOf({ files: among(filesOf({ detector, landmarks, liveness })) })).map(
    ([, found]) => found,
  )
  return {
    pack: pack.name,
    kind: detector.kind,
    in_use: pack.name === used,
    files: (['damaged', 'missing'] as const).find(fault => states.includes(fault)) ?? 'verified',
    bytes: Object.values(pack.files).reduce((sum, file) => sum + (isPulled(file) ? file.bytes : 0), 0),
    licences: [...new Set(Object.values(among(filesOf(detector))).map(({ licence }) => licence))].sort(),
  }
}

/** Runs tasks one after the other. */
function oneByOne(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return work => {
    const run = last.then(work)
    last = run.catch(() => {})
    return run
  }
}
