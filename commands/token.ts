/** `mien token`: creates, lists, rotates and revokes API tokens, also while the service runs. */
import { type Command, Option } from 'commander'
import type { Scope } from '../contract/model/token.ts'
import type { CreateOptions, ListOptions, RotateOptions } from './administration/tokens.ts'
import { action, examples, type GlobalOptions } from './terminal/command-line.ts'

const load = () => import('./administration/tokens.ts')

export function addToken(mien: Command): void {
  const token = mien
    .command('token')
    .description('Create, list, replace and revoke API tokens, also while the service runs.')
    .addHelpText(
      'after',
      examples('mien token create --owner ann --scope camera --expires 90d', 'mien token list'),
    )
  addCreate(token)
  token
    .command('list')
    .description('List all tokens.')
    .option('--json', 'print one JSON array')
    .addHelpText('after', examples('mien token list --json'))
    .action(action(async (options: ListOptions) => (await load()).list(options)))
  token
    .command('rotate')
    .description('Create a replacement; the old token ends after --grace.')
    .argument('<ID>', 'ID of the token, as list shows it')
    .option('--grace <TIME>', 'how long the old token stays valid', '24h')
    .addHelpText('after', examples('mien token rotate 5f0c1d2e3a4b --grace 1h'))
    .action(action(async (options: RotateOptions, id: string) => (await load()).rotate(options, id)))
  token
    .command('revoke')
    .description('End a token now.')
    .argument('<ID>', 'ID of the token, as list shows it')
    .addHelpText('after', examples('mien token revoke 5f0c1d2e3a4b'))
    .action(action(async (options: GlobalOptions, id: string) => (await load()).revoke(options, id)))
}

/** What a token of each scope may be used for. */
const SCOPES: Record<Scope, string> = {
  read: 'detect, verify, identify, list and get',
  enrol: 'read; also post, change and delete single faces, and create galleries',
  camera: 'post faces and read cameras',
  admin: 'everything',
}

const SCOPE_HELP = `\nScopes:\n${Object.entries(SCOPES)
  .map(([scope, use]) => `  ${scope.padEnd(6)}  ${use}`)
  .join('\n')}`

function addCreate(token: Command): void {
  token
    .command('create')
    .description('Create a token, and the owner if needed. It is printed once.')
    .option('--owner <NAME>', 'owner of the faces that the token reaches (default: the only owner)')
    .addOption(
      new Option('--scope <SCOPE>', 'what the token may be used for')
        .choices(Object.keys(SCOPES))
        .default('admin'),
    )
    .option('--expires <WHEN>', '90d, 12h, or a day or time such as 2027-01-31 (default: never)')
    .option('--rate <N>', 'requests per second (default: MIEN_REQUESTS_PER_SECOND of the service)')
    .option('--name <TEXT>', 'what the token is for', '')
    .option('--new', 'also in a folder that no service has used yet')
    .addHelpText('after', SCOPE_HELP)
    .addHelpText('after', examples('mien token create --owner ann --scope camera --expires 90d'))
    .action(action(async (options: CreateOptions) => (await load()).create(options)))
}
