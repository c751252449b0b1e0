/** A backup whose process is killed before one of its steps: `node crash.child.ts DATA TARGET STEP`. */
import { backUp } from '../../../core/backup/backup.ts'

const [, , data = '', target = '', last = ''] = process.argv

await backUp({
  data,
  target,
  embedder: 'colours-3',
  now: 0,
  onStep: step => {
    if (step === last) process.kill(process.pid, 'SIGKILL')
  },
})
