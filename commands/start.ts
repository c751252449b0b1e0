/** `mien start`: builds missing files, then runs core and the edge worker until Ctrl-C. */
import { type Command, Option } from 'commander'
import type { GivenOptions } from './processes/options.ts'
import { action, examples } from './terminal/command-line.ts'

export function addStart(mien: Command): void {
  mien
    .command('start')
    .description('Build what is missing, then run core and the edge until Ctrl-C.')
    .addOption(new Option('--edge-port <N>', 'port of the API').env('MIEN_EDGE_PORT').default('8787'))
    .addOption(new Option('--core-port <N>', 'port of core').env('MIEN_CORE_PORT').default('8788'))
    .addOption(new Option('--host <ADDRESS>', 'address of the API').env('MIEN_HOST').default('127.0.0.1'))
    .addOption(
      new Option('--core-host <ADDRESS>', 'address of core').env('MIEN_CORE_HOST').default('127.0.0.1'),
    )
    .addOption(
      new Option('--other-cores <URLS>', 'cores elsewhere, on the same database').env('MIEN_OTHER_CORES'),
    )
    .addOption(workersOption())
    .addOption(proxiesOption())
    .addOption(configOption())
    .option('--watch', 'read the cameras of the owner "starter", too: see mien watch --help')
    .addHelpText(
      'after',
      '\nA port of 0 takes any that is free. In a terminal, log lines go to\n' +
        'log/mien.log in the data folder; otherwise they go to standard output.',
    )
    .addHelpText('after', examples('mien start --data /srv/mien --edge-port 80 --host 0.0.0.0'))
    .action(action(async (options: GivenOptions) => (await import('./processes/start.ts')).start(options)))
}

export const workersOption = (): Option =>
  new Option('--edge-workers <N>', 'edge processes (default: processors - 1, at least 1)').env(
    'MIEN_EDGE_WORKERS',
  )

export const proxiesOption = (): Option =>
  new Option(
    '--trusted-proxies <LIST>',
    'proxies whose X-Forwarded-Proto and X-Forwarded-Host count: addresses, CIDR blocks or "loopback" (default: none)',
  ).env('MIEN_TRUSTED_PROXIES')

export const configOption = (): Option =>
  new Option('--config <FILE>', 'API configuration (default: facenapi.ini in the data folder)').env(
    'MIEN_CONFIG',
  )
