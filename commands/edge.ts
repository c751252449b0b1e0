/** `mien edge`: runs the edge alone in this process, with a core elsewhere. */
import { type Command, Option } from 'commander'
import type { EdgeOptions } from './processes/edge.ts'
import { proxiesOption, workersOption } from './start.ts'
import { action, examples } from './terminal/command-line.ts'

const SECRET_HELP = `
The secret that core knows the edge by is in MIEN_EDGE_SECRET, or in the file
that MIEN_EDGE_SECRET_FILE names, or in the data folder. The pack is MIEN_PACK,
or the one that is chosen in the data folder.`

export function addEdge(mien: Command): void {
  mien
    .command('edge')
    .description('Run the edge alone, until SIGTERM or Ctrl-C. Core runs elsewhere.')
    .addOption(
      new Option('--core <URLS>', 'one core, or several separated by commas')
        .env('MIEN_CORE_URL')
        .default('http://127.0.0.1:8788'),
    )
    .addOption(new Option('--port <N>', 'port; 0 takes any free one').env('MIEN_EDGE_PORT').default('8787'))
    .addOption(new Option('--host <ADDRESS>', 'address to listen on').env('MIEN_HOST').default('127.0.0.1'))
    .addOption(workersOption())
    .addOption(proxiesOption())
    .addHelpText('after', SECRET_HELP)
    .addHelpText('after', examples('mien edge --core http://10.0.0.7:8788'))
    .action(action(async (options: EdgeOptions) => (await import('./processes/edge.ts')).becomeEdge(options)))
}
