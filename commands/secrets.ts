/** `mien secrets`: lists the keys of an installation, and rotates them while the service runs. */
import { Argument, type Command } from 'commander'
import type { SecretName } from '../core/configuration/secrets.ts'
import type { ListOptions } from './administration/secrets.ts'
import { action, examples, type GlobalOptions } from './terminal/command-line.ts'

const load = () => import('./administration/secrets.ts')

/** What each key signs. */
const NAMES: Record<SecretName, string> = { edge: 'requests of edges to core', links: 'links to pictures' }

export function addSecrets(mien: Command): void {
  const secrets = mien
    .command('secrets')
    .summary('List and rotate the keys of an installation.')
    .description(
      'List and rotate the keys of an installation. A running service takes a change within seconds.',
    )
    .addHelpText('after', examples('mien secrets list', 'mien secrets rotate links'))
  secrets
    .command('list')
    .description('List the keys by their ids, never the keys themselves.')
    .option('--json', 'print one JSON array')
    .addHelpText('after', examples('mien secrets list --json'))
    .action(action(async (options: ListOptions) => (await load()).list(options)))
  secrets
    .command('rotate')
    .description('Create a key that signs from now on. The previous one stays valid until it is retired.')
    .addArgument(keyName(Object.keys(NAMES)))
    .addHelpText('after', examples('mien secrets rotate links'))
    .action(action(async (options: GlobalOptions, name: SecretName) => (await load()).rotate(options, name)))
  secrets
    .command('retire')
    .description('End the previous key.')
    .addArgument(keyName(Object.keys(NAMES)))
    .addHelpText('after', examples('mien secrets retire links'))
    .action(action(async (options: GlobalOptions, name: SecretName) => (await load()).retire(options, name)))
  secrets
    .command('show')
    .description("Print the edge's key, for wrangler secret put EDGE_SECRET.")
    .addArgument(keyName(['edge']))
    .addHelpText('after', examples('mien secrets show edge | npx wrangler secret put EDGE_SECRET'))
    .action(action(async (options: GlobalOptions, name: 'edge') => (await load()).show(options, name)))
}

const keyName = (names: readonly string[]): Argument =>
  new Argument('<KEY>', names.map(name => `${name}: signs ${NAMES[name as SecretName]}`).join('; ')).choices(
    names,
  )
