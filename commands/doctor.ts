/** `mien doctor`: checks machine, data folder and models, and detects faces on a photo. */
import type { Command } from 'commander'
import type { DoctorOptions } from './doctor/run.ts'
import { action, examples } from './terminal/command-line.ts'

export function addDoctor(mien: Command): void {
  mien
    .command('doctor')
    .summary('Check machine, files and models, and detect faces on a photo.')
    .description(
      'Check Node, memory, disk, clock, ports, modes of files and models, and detect faces on a photo. ' +
        'Changes nothing. Exits with 1 when there is a problem.',
    )
    .option('--json', 'print one JSON array')
    .addHelpText('after', examples('mien doctor --data /srv/mien'))
    .action(action(async (options: DoctorOptions) => (await import('./doctor/run.ts')).runDoctor(options)))
}
