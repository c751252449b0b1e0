/** `mien status`: shows whether the service is ready, and what it holds. */
import type { Command } from 'commander'
import type { StatusOptions } from './status/run.ts'
import { action, examples } from './terminal/command-line.ts'

export function addStatus(mien: Command): void {
  mien
    .command('status')
    .summary('Show whether the service is ready, and what it holds.')
    .description(
      'Show whether the service is ready, and what it holds. Exits with 0 when it is ready, else with 1.',
    )
    .option('--json', 'print one JSON document')
    .option('--core <URL>', 'address of core (default: of the data folder)')
    .option('--edge <URL>', 'address of the edge (default: of the data folder)')
    .addHelpText('after', '\nWith mien core and mien edge instead of mien start, name their addresses.')
    .addHelpText(
      'after',
      examples('mien status', 'mien status --core http://127.0.0.1:8788 --edge http://127.0.0.1:8787'),
    )
    .action(action(async (options: StatusOptions) => (await import('./status/run.ts')).runStatus(options)))
}
