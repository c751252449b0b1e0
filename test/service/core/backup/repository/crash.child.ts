/** A backup whose process is killed before a step: `node crash.child.ts DATA REPOSITORY STEP`. */
import { flushCompileCache } from 'node:module'
import { backUpTo } from '#core/backup/repository/incremental-backup.ts'
import { keepRule } from '#core/backup/repository/prune.ts'
import { createRepository } from '#core/backup/repository/repository.ts'
import { picturesOf } from '#core/pictures/open.ts'

// A killed process keeps no compiled sources otherwise.
flushCompileCache()

const [, , data = '', folder = '', last = ''] = process.argv

await backUpTo({
  data,
  repository: await createRepository(folder, undefined),
  embedder: 'colours-3',
  dataKey: undefined,
  pictures: await picturesOf(data),
  keep: keepRule('24h')!,
  now: Date.now(),
  onStep(step) {
    if (step === last) process.kill(process.pid, 'SIGKILL')
  },
})
