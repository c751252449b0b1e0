/** Verbs that run the service: `mien start`, `core`, `edge`, `status`, `settings`, `doctor` and `build`. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { SETTING_NAMES } from '../../contract/model/service-state.ts'
import { examples, lazyAction, verb, verbsOf } from '../terminal/command-line.ts'

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
    .option('--other-cores <URLS>', 'cores elsewhere, on the same database')
    .addOption(workersOption())
    .addOption(proxiesOption())
    .addOption(removedOption('--user-header <NAME>'))
    .addOption(removedOption('--user-proxies <LIST>'))
    .addOption(configOption())
    .option('--pack <NAME>', 'fetch what is missing of this pack, and choose it: see mien models --help')
    .addOption(
      new Option(
        '--backup-to <REPOSITORY>',
        'make backups here, as the settings say: see mien backup --help (default: none)',
      ).env('MIEN_BACKUP_TO'),
    )
    .option(
      '--watch',
      'read the cameras of the owner of DATA/token unless the settings say otherwise: see mien watch --help',
    )
    .addHelpText(
      'after',
      '\nA port of 0 takes any that is free. In a terminal, log lines go to\n' +
        'log/mien.log in the data folder; otherwise they go to standard output.',
    )
    .addHelpText(
      'after',
      examples('mien start --data /srv/mien --edge-port 80 --host 0.0.0.0', 'mien start --pack yunet'),
    )
    .action(lazyAction(() => import('../processes/start.ts'), 'start'))
}

const workersOption = () =>
  new Option('--edge-workers <N>', 'edge processes (default: processors - 1, at least 1)').env(
    'MIEN_EDGE_WORKERS',
  )

const proxiesOption = () =>
  new Option(
    '--trusted-proxies <LIST>',
    'proxies whose X-Forwarded-For, -Proto and -Host count, and that have no share of connections: addresses, CIDR blocks or "loopback" (default: none)',
  ).env('MIEN_TRUSTED_PROXIES')

/** What replaces the users that a reverse proxy named. */
export const NO_PROXY_USERS =
  'let people sign in with OpenID Connect or passkeys (docs/administration.md), because a reverse proxy no longer names users'

/** A removed option by which a reverse proxy named users. It is hidden in the help, and its use is refused. */
const removedOption = (flags: string) =>
  new Option(flags, 'removed').hideHelp().argParser(() => {
    throw new InvalidArgumentError(`Leave it out: ${NO_PROXY_USERS}.`)
  })

const configOption = () =>
  new Option('--config <FILE>', 'API configuration (default: facenapi.ini in the data folder)').env(
    'MIEN_CONFIG',
  )

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
    .action(lazyAction(() => import('../processes/core.ts'), 'becomeCore'))
}

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
    .addOption(removedOption('--user-header <NAME>'))
    .addOption(removedOption('--user-proxies <LIST>'))
    .addHelpText('after', SECRET_HELP)
    .addHelpText('after', examples('mien edge --core http://10.0.0.7:8788'))
    .action(lazyAction(() => import('../processes/edge.ts'), 'becomeEdge'))
}

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
    .action(lazyAction(() => import('../status/run.ts'), 'runStatus'))
}

export function addSettings(mien: Command): void {
  const load = () => import('../administration/settings.ts')
  const settings = verb(mien, 'settings', 'mien settings', 'mien settings set person_identify on')
    .summary('List and change the settings of the service, also while it runs.')
    .description(
      'List the settings of the service with their origins; change and reset them, also while it runs. A changed setting wins over ' +
        'facenapi.ini and its variable.',
    )
    .option('--json', 'print one JSON array')
    .action(lazyAction(load, 'list'))
  const add = verbsOf(settings, load)
  add('set', 'mien settings set person_identify_threshold 0.8')
    .description('Change a setting. A running service takes it within seconds.')
    .addArgument(settingName())
    .argument('<VALUE>', 'on, off, or a number')
  add('reset', 'mien settings reset person_identify')
    .description('Give a setting its value of facenapi.ini or its variable again.')
    .addArgument(settingName())
}

const settingName = () => new Argument('<NAME>', 'name of the setting').choices(SETTING_NAMES)

export function addDoctor(mien: Command): void {
  verb(mien, 'doctor', 'mien doctor --data /srv/mien')
    .summary('Check machine, files and models, and detect faces on a photo.')
    .description(
      'Check Node, memory, disk, clock, ports, modes of files and models, and detect faces on a photo. ' +
        'Changes nothing. Exits with 1 when there is a problem.',
    )
    .option('--json', 'print one JSON array')
    .action(lazyAction(() => import('../doctor/run.ts'), 'runDoctor'))
}

export function addBuild(mien: Command): void {
  verb(mien, 'build', 'mien build')
    .description("Build models, WebAssembly and the edge's bundle, where they are missing or old.")
    .option('--assets', 'everything but the bundle, with the chosen pack: for wrangler')
    .action(lazyAction(() => import('../build/assets.ts'), 'build'))
}
