/** A backup or restore whose process is killed before a step: `node crash.child.ts WORK DATA BACKUP STEP [LOG]`. */
import { flushCompileCache } from 'node:module'
import { backUp } from '#core/backup/folder-backup.ts'
import { restore } from '#core/backup/restore.ts'

// A killed process keeps no compiled sources otherwise.
flushCompileCache()

const [, , work, data = '', backup = '', last = '', deletions] = process.argv

const onStep = (step: string): void => {
  if (step === last) process.kill(process.pid, 'SIGKILL')
}

const embedder = 'colours-3'
if (work === 'backup') await backUp({ data, target: backup, embedder, now: 0, onStep })
else await restore({ source: backup, data, embedder, deletions, onStep })
