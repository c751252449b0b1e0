/** A move that kills its process: `node moves.child.ts PART DATA TO STEPS`. It dies at the progress with this number. */
import { join } from 'node:path'
import { KEYS } from '#bench/harness/swift.ts'
import { moveMetadata } from '#core/metadata/move.ts'
import { movePictures } from '#core/pictures/move.ts'
import { moveStore } from '#core/vector-store/move.ts'
import { parseLayout } from '#core/vector-store/sharding/layout.ts'

const [, , part = '', data = '', to = '', steps = ''] = process.argv

let step = 0
const onProgress = (): void => {
  if (++step === Number(steps)) process.kill(process.pid, 'SIGKILL')
}

if (part === 'vectors') await moveStore(join(data, 'vectors'), parseLayout(to, 'the test'), { onProgress })
if (part === 'metadata')
  await moveMetadata(data, { dataKey: undefined, from: undefined, to: { url: to }, onProgress })
if (part === 'pictures') await movePictures(data, { to, bucketKeys: KEYS, onProgress })
