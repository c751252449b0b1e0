/** Encrypts, decrypts and rekeys a data folder while the service is stopped. Continues interrupted conversions. */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SITE_FILE, siteForm } from '../configuration/removed-features.ts'
import { type DataKey, databaseKey } from '../encryption/encrypt.ts'
import { convertFile } from '../encryption/file-form.ts'
import {
  conversionOf,
  EncryptionRefused,
  type FolderKeys,
  newDataKey,
  type OperatorKey,
  readKeyFile,
  removeKeyFile,
  unwrapped,
  writeKeyFile,
} from '../encryption/key-file.ts'
import { makeFolder, replaceAndWipe, syncFile, syncFolder } from '../files/durable.ts'
import { opensWith, rekeyed, withWritersBlocked } from '../files/sqlite.ts'
import { requireKnownFiles } from '../operations/consistency/installation.ts'
import { convertPictures } from '../pictures/folder.ts'
import { recordedBucket } from '../pictures/open.ts'
import { lockFolder } from '../vector-store/folder-lock.ts'
import { convertStore, unconvertible } from '../vector-store/rewrite-store.ts'
import { removeLeftovers } from './leftovers.ts'

/** Settings of a conversion, and callbacks for its progress. */
export interface Conversion {
  data: string
  /** The operator key of the folder, before or after the conversion. */
  operator: OperatorKey
  /** Receives a description of each damaged file that could not be converted. */
  onLost(what: string): void
  onPicture?: ((done: number) => void) | undefined
  /** Receives each completed step, including steps of the files of the store. */
  onStep?: ((step: string) => void) | undefined
}

/**
 * A conversion of a folder, or its continuation. `begun` returns its keys from those of a folder that is not being converted;
 * undefined when the folder is refused. At its end, the operator key `last` wraps the data key.
 */
const conversionBy =
  (
    name: ReturnType<typeof conversionOf>,
    begun: (found: FolderKeys | undefined) => Omit<FolderKeys, 'converting'> | undefined,
  ) =>
  (conversion: Conversion, last = conversion.operator): Promise<void> =>
    withLockedFolder(conversion, async found => {
      const isConverting = found?.converting === true
      const keys = isConverting ? conversionOf(found) === name && found : begun(found)
      if (!keys) throw refused(conversion, found)
      await convertAll(conversion, { ...keys, converting: true }, last)
    })

/** Encrypts an unencrypted folder. Throws EncryptionRefused, VectorFileLocked and RowsDamaged. */
export const turnOn = conversionBy('on', found => (found ? undefined : { from: undefined, to: newDataKey() }))

/** Decrypts a folder. Throws like `turnOn`. */
export const turnOff = conversionBy('off', found => found && { from: found.to, to: undefined })

/** Encrypts everything with a new data key. Throws like `turnOn`. */
export const changeDataKey = conversionBy(
  'rotate --data-key',
  found => found && { from: found.to, to: newDataKey() },
)

/** Wraps the data key with another operator key. The encrypted files do not change. */
export const changeOperatorKey = (conversion: Conversion, next: OperatorKey): Promise<void> =>
  withLockedFolder(conversion, async found => {
    if (!found || found.converting) throw refused(conversion, found)
    await writeKeyFile(conversion.data, next, found)
  })

/** Runs `work` with the keys of the folder, under the lock of the folder. Refuses files of a later version. */
async function withLockedFolder(
  { data, operator }: Conversion,
  work: (keys: FolderKeys | undefined) => Promise<void>,
): Promise<void> {
  if (!existsSync(data)) throw new EncryptionRefused(`There is no ${data}.`)
  await requireKnownFiles(data)
  const vectors = join(data, 'vectors')
  await makeFolder(vectors)
  const lock = lockFolder(vectors)
  try {
    await removeLeftovers(data)
    const file = await readKeyFile(data)
    await work(file && unwrapped(data, file, operator))
  } finally {
    lock.release()
  }
}

const refused = ({ data }: Conversion, found: FolderKeys | undefined): EncryptionRefused => {
  if (!found) return new EncryptionRefused(`${data} is not encrypted.`)
  if (!found.converting) return new EncryptionRefused(`${data} is encrypted already.`)
  return new EncryptionRefused(`${data} is being converted in another way: "mien encryption status".`)
}

async function convertAll(conversion: Conversion, keys: FolderKeys, last: OperatorKey): Promise<void> {
  const { data, operator, onStep, onLost, onPicture } = conversion
  const { from, to } = keys
  await requireNoBucket(data)
  const left = await unconvertible(join(data, 'vectors'))
  if (left.length > 0) {
    throw new EncryptionRefused(
      `${left.join(', ')}: no key can be put to this. "mien store compact" removes copies of damaged files, and a ` +
        'start of the service takes over exact.db.',
    )
  }
  await writeKeyFile(data, operator, keys)
  onStep?.('begun')
  await convertMetadata(join(data, 'metadata.db'), from, to)
  onStep?.('metadata')
  await convertStore(join(data, 'vectors'), { from, to, onLost, onStep })
  onStep?.('vectors')
  await convertPictures(join(data, 'pictures'), { from, to, onLost, onPicture })
  onStep?.('pictures')
  const site = join(data, SITE_FILE)
  const forms = { from: siteForm(from), to: siteForm(to) }
  if (!(await convertFile(site, SITE_FILE, forms, data))) onLost(`${site} is damaged.`)
  await syncFolder(data)
  onStep?.('calibration')
  if (to) await writeKeyFile(data, last, { converting: false, from: undefined, to })
  else await removeKeyFile(data)
  onStep?.('done')
}

/** Throws for pictures in a bucket. A bucket has no lock, and other cores may use it: it is never converted. */
async function requireNoBucket(data: string): Promise<void> {
  if ((await recordedBucket(data)) === undefined) return
  throw new EncryptionRefused(
    'The pictures are in a bucket, where they are not converted. Bring them into the folder first: ' +
      'docs/operations.md says how.',
  )
}

/** Replaces the database by a copy with the other key. */
async function convertMetadata(path: string, from: DataKey | undefined, to: DataKey | undefined) {
  const draft = `${path}.new`
  await rm(draft, { force: true })
  const [key, next] = [from, to].map(dataKey => dataKey && databaseKey(dataKey))
  if (!existsSync(path) || opensWith(path, next)) return
  await withWritersBlocked(path, key, () =>
    replaceAndWipe(path, async () => {
      rekeyed(path, draft, key, next)
      await syncFile(draft)
      await rename(draft, path)
    }),
  )
}
