/** The backups of `mien start --backup-to`: `mien backup --follow` as a supervised child process. */
import { join } from 'node:path'
import { PROVIDER_SECRET } from '../../core/configuration/credentials.ts'
import { type Supervised, startChild, supervise } from './child.ts'
import type { ChildOutput } from './output.ts'

const MIEN = join(import.meta.dirname, '..', 'mien.js')

export const startBackups = (
  { data, backupTo }: { data: string; backupTo: string },
  output: ChildOutput | undefined,
): Promise<Supervised> =>
  supervise(
    'The backup program',
    0,
    () =>
      startChild({
        name: 'The backup program',
        script: MIEN,
        args: ['backup', '--to', backupTo, '--follow', '--data', data],
        onLine: output?.onLine,
        env: { [PROVIDER_SECRET]: '' },
      }),
    () => console.error('The backup program does not stay alive. The service continues without it.'),
  )
