/** `mien models pull`: downloads a pack's files. */
import { LIMITS } from '../../contract/limits.ts'
import type { PlacedPack } from '../../models/packs.ts'
import { withProgress } from '../store/progress.ts'
import { requireFiles, statesOf } from './checks.ts'
import { download as downloadFile } from './download.ts'
import { type ModelsCommand, namedPack } from './options.ts'

export const pull: ModelsCommand = async options => {
  const pack = await namedPack(options)
  await download(pack)
  await requireFiles(pack)
  console.log(`The pack "${pack.name}" is whole. To use it: mien models use ${pack.name}`)
  return 0
}

/** Downloads and verifies the missing or damaged files of a pack that have a URL. */
export async function download(pack: PlacedPack): Promise<void> {
  for (const [name, state] of await statesOf(pack)) {
    const file = pack.files[name]!
    if (state === 'verified' || !('url' in file)) continue
    if (file.bytes > LIMITS.modelBytes) throw new Error(`${name} has more than ${LIMITS.modelBytes} bytes.`)
    await withProgress(name, show => {
      show(0, file.bytes)
      return downloadFile(file, { path: file.path, onProgress: show })
    })
    console.log(`${name} is there, and verified. Its licence is ${file.licence}.`)
  }
}
