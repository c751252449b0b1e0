/** A move of vectors that kills its process: `node moves.child.ts FOLDER TO STEPS`. It dies at the progress with this number. */
import { moveStore } from '#core/vector-store/move.ts'
import { parseLayout } from '#core/vector-store/sharding/layout.ts'

const [, , folder = '', to = '', steps = ''] = process.argv

let step = 0
const onProgress = () => {
  if (++step === Number(steps)) process.kill(process.pid, 'SIGKILL')
}

await moveStore(folder, parseLayout(to, 'the test'), { onProgress })
