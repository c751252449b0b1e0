/** Verbs that manage access: `mien token`, `owner`, `secrets` and `audit`. All work while the service runs, too. */
import { Argument, type Command, Option } from 'commander'
import type { Scope } from '../../contract/model/token.ts'
import type { SecretName } from '../../core/configuration/secrets.ts'
import type { EntriesOptions, PruneOptions, VerifyOptions } from '../administration/audit-log.ts'
import type { DeleteOptions } from '../administration/owners.ts'
import type { CreateOptions, RotateOptions } from '../administration/tokens.ts'
import { action, examples, type GlobalOptions, type JsonOptions } from '../terminal/command-line.ts'

const tokens = () => import('../administration/tokens.ts')
const owners = () => import('../administration/owners.ts')
const keys = () => import('../administration/secrets.ts')
const auditLog = () => import('../administration/audit-log.ts')

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
    .action(action(async (options: JsonOptions) => (await tokens()).list(options)))
  token
    .command('rotate')
    .description('Create a replacement; the old token ends after --grace.')
    .argument('<ID>', 'ID of the token, as list shows it')
    .option('--grace <TIME>', 'how long the old token stays valid', '24h')
    .addHelpText('after', examples('mien token rotate 5f0c1d2e3a4b --grace 1h'))
    .action(action(async (options: RotateOptions, id: string) => (await tokens()).rotate(options, id)))
  token
    .command('revoke')
    .description('End a token now.')
    .argument('<ID>', 'ID of the token, as list shows it')
    .addHelpText('after', examples('mien token revoke 5f0c1d2e3a4b'))
    .action(action(async (options: GlobalOptions, id: string) => (await tokens()).revoke(options, id)))
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
    .action(action(async (options: CreateOptions) => (await tokens()).create(options)))
}

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
    .action(action(async (options: JsonOptions) => (await owners()).list(options)))
  owner
    .command('delete')
    .description(
      'Delete an owner: faces, vectors, pictures, galleries, cameras, persons and tokens. ' +
        'Only a backup can bring them back.',
    )
    .argument('<NAME>', 'name of the owner')
    .option('--yes', 'really delete')
    .addHelpText('after', examples('mien owner delete ann --yes'))
    .action(
      action(async (options: DeleteOptions, name: string) => (await owners()).deleteOwner(options, name)),
    )
}

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
    .action(action(async (options: JsonOptions) => (await keys()).list(options)))
  secrets
    .command('rotate')
    .description('Create a key that signs from now on. The previous one stays valid until it is retired.')
    .addArgument(keyName(Object.keys(NAMES)))
    .addHelpText('after', examples('mien secrets rotate links'))
    .action(action(async (options: GlobalOptions, name: SecretName) => (await keys()).rotate(options, name)))
  secrets
    .command('retire')
    .description('End the previous key.')
    .addArgument(keyName(Object.keys(NAMES)))
    .addHelpText('after', examples('mien secrets retire links'))
    .action(action(async (options: GlobalOptions, name: SecretName) => (await keys()).retire(options, name)))
  secrets
    .command('show')
    .description("Print the edge's key, for wrangler secret put EDGE_SECRET.")
    .addArgument(keyName(['edge']))
    .addHelpText('after', examples('mien secrets show edge | npx wrangler secret put EDGE_SECRET'))
    .action(action(async (options: GlobalOptions, name: 'edge') => (await keys()).show(options, name)))
}

const keyName = (names: readonly string[]): Argument =>
  new Argument('<KEY>', names.map(name => `${name}: signs ${NAMES[name as SecretName]}`).join('; ')).choices(
    names,
  )

export function addAudit(mien: Command): void {
  const audit = mien
    .command('audit')
    .description('Show, verify and prune the log of changes, also while the service runs.')
    .addHelpText('after', examples('mien audit list --since 2026-11-01', 'mien audit verify'))
  addList(audit)
  audit
    .command('verify')
    .description('Check that no entry was changed or removed.')
    .option('--from <HEAD>', 'the output of an earlier head')
    .addHelpText('after', examples('mien audit verify'))
    .action(action(async (options: VerifyOptions) => (await auditLog()).verify(options)))
  audit
    .command('head')
    .description("Print the newest entry's number and hash. Keep it elsewhere, for verify --from.")
    .addHelpText('after', examples('mien audit head'))
    .action(action(async (options: GlobalOptions) => (await auditLog()).head(options)))
  audit
    .command('export')
    .description('Write the log to a file, or append what is new. A restore replays its deletions.')
    .argument('<FILE>', 'the file to write')
    .addHelpText('after', examples('mien audit export /backups/audit.jsonl'))
    .action(
      action(async (options: GlobalOptions, file: string) => (await auditLog()).exportLog(options, file)),
    )
  audit
    .command('prune')
    .description('Delete older entries.')
    .requiredOption('--before <TIME>', 'a day or time of ISO 8601 (UTC), such as 2026-11-20')
    .addHelpText('after', examples('mien audit prune --before 2025-11-01'))
    .action(action(async (options: PruneOptions) => (await auditLog()).pruneLog(options)))
}

function addList(audit: Command): void {
  audit
    .command('list')
    .description('Print the entries, one line of JSON each.')
    .option('--since <TIME>', 'entries from this day or time on (ISO 8601, UTC)')
    .option('--face <ID>', 'entries about this face')
    .option('--owner <ID>', 'entries about this owner')
    .option('--json', 'print one JSON array instead of lines')
    .addHelpText('after', examples('mien audit list --since 2026-11-01'))
    .action(action(async (options: EntriesOptions) => (await auditLog()).list(options)))
}
