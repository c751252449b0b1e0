/** `mien core`: runs core alone in this process, for its own machine, container or systemd unit. */
import { type Command, Option } from 'commander'
import type { CoreOptions } from './processes/core.ts'
import { configOption } from './start.ts'
import { action, examples } from './terminal/command-line.ts'

export function addCore(mien: Command): void {
  mien
    .command('core')
    .description('Run core alone, until SIGTERM or Ctrl-C. Edges run elsewhere: mien edge.')
    .addOption(new Option('--port <N>', 'port; 0 takes any free one').env('MIEN_CORE_PORT').default('8788'))
    .addOption(
      new Option('--host <ADDRESS>', 'address to listen on').env('MIEN_CORE_HOST').default('127.0.0.1'),
    )
    .addOption(configOption())
    .addHelpText('after', '\ndocs/operations.md describes all environment variables.')
    .addHelpText('after', examples('mien core --data /srv/mien --host 10.0.0.7'))
    .action(action(async (options: CoreOptions) => (await import('./processes/core.ts')).becomeCore(options)))
}
