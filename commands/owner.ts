/** `mien owner`: lists owners, and deletes an owner with all data, also while the service runs. */
import type { Command } from 'commander'
import type { DeleteOptions, ListOptions } from './administration/owners.ts'
import { action, examples } from './terminal/command-line.ts'

const load = () => import('./administration/owners.ts')

export function addOwner(mien: Command): void {
  const owner = mien
    .command('owner')
    .description('List owners, and delete an owner with all data, also while the service runs.')
    .addHelpText('after', examples('mien owner list', 'mien owner delete ann --yes'))
  owner
    .command('list')
    .description('List all owners with their faces and tokens.')
    .option('--json', 'print one JSON array')
    .addHelpText('after', examples('mien owner list --json'))
    .action(action(async (options: ListOptions) => (await load()).list(options)))
  owner
    .command('delete')
    .description(
      'Delete an owner: faces, vectors, pictures, galleries, cameras, persons and tokens. ' +
        'Only a backup can bring them back.',
    )
    .argument('<NAME>', 'name of the owner')
    .option('--yes', 'really delete')
    .addHelpText('after', examples('mien owner delete ann --yes'))
    .action(action(async (options: DeleteOptions, name: string) => (await load()).deleteOwner(options, name)))
}
