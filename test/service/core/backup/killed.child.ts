/** Work that is killed at a step: `node killed.child.ts WORK DATA STEP [OTHER [LOG]]`. */
import { flushCompileCache } from 'node:module'
import { backUpTo } from '#core/backup/repository/incremental-backup.ts'
import { keepRule } from '#core/backup/repository/prune.ts'
import { createRepository } from '#core/backup/repository/repository.ts'
import { restore } from '#core/backup/restore.ts'
import { picturesOf } from '#core/pictures/open.ts'

// A killed process keeps no compiled sources otherwise.
flushCompileCache()

const [, , work = '', data = '', last = '', other = '', deletions] = process.argv

const onStep = (step: string) => {
  if (step === last) process.kill(process.pid, 'SIGKILL')
}

const WORKS: Record<string, () => Promise<unknown>> = {
  restore: () => restore({ source: other, data, deletions, onStep }),
  'back up to a repository': async () =>
    backUpTo({
      data,
      repository: await createRepository(other, undefined),
      embedder: 'colours-3',
      dataKey: undefined,
      pictures: await picturesOf(data),
      keep: keepRule('24h')!,
      now: Date.now(),
      onStep,
    }),
}
await WORKS[work]!()
