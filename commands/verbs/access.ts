/** Verbs that manage access: `mien token`, `owner`, `secrets` and `audit`. All work while the service runs, too. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { OwnerId } from '../../contract/model/gallery.ts'
import type { Scope } from '../../contract/model/token.ts'
import type { SecretName } from '../../core/configuration/secrets.ts'
import { wholeNumber } from '../api/options.ts'
import { examples, lazyAction, verb, verbsOf } from '../terminal/command-line.ts'

const tokens = () => import('../administration/tokens.ts')

export function addToken(mien: Command): void {
  const token = verb(
    mien,
    'token',
    'mien token create --scope camera --expires 90d',
    'mien token list',
  ).description('Create, list, replace and revoke API tokens, also while the service runs.')
  addCreate(token)
  const add = verbsOf(token, tokens)
  add('list', 'mien token list --json')
    .description('List all tokens.')
    .option('--json', 'print one JSON array')
  add('rotate', 'mien token rotate 5f0c1d2e3a4b --grace 1h')
    .description('Create a replacement; the old token ends after --grace.')
    .argument('<ID>', 'ID of the token, as list shows it')
    .option('--grace <TIME>', 'how long the old token stays valid', '24h')
  add('revoke', 'mien token revoke 5f0c1d2e3a4b')
    .description('End a token now.')
    .argument('<ID>', 'ID of the token, as list shows it')
}

/** Uses of a token of each scope. */
const SCOPES: Record<Scope, string> = {
  read: 'detect, verify, identify, list and get',
  enrol: 'read; also post, change and delete single faces, and create galleries',
  camera: 'post faces and read cameras',
  manage: 'all data, cameras and alerts; no tokens, users and settings',
  admin: 'everything',
}

const SCOPE_HELP = `\nScopes:\n${Object.entries(SCOPES)
  .map(([scope, use]) => `  ${scope.padEnd(6)}  ${use}`)
  .join('\n')}`

function addCreate(token: Command) {
  token
    .command('create')
    .description('Create a token. It is printed once.')
    .option('--owner <NAME>', 'owner of the faces that the token reaches (default: the only owner)')
    .option(
      '--new-owner',
      'create the owner if needed. With several owners, only commands change the settings',
    )
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
    .addHelpText('after', examples('mien token create --scope camera --expires 90d'))
    .action(lazyAction(tokens, 'create'))
}

export function addOwner(mien: Command): void {
  const owner = verb(mien, 'owner', 'mien owner list', 'mien owner delete ann --yes').description(
    'List owners, and delete an owner with all data, also while the service runs.',
  )
  const add = verbsOf(owner, () => import('../administration/owners.ts'))
  add('list', 'mien owner list --json')
    .description('List all owners with their faces and tokens.')
    .option('--json', 'print one JSON array')
  add('delete', 'mien owner delete ann --yes')
    .description(
      'Delete an owner: faces, vectors, pictures, galleries, cameras, persons and tokens. ' +
        'Only a backup can bring them back.',
    )
    .argument('<NAME>', 'name of the owner')
    .option('--yes', 'really delete')
}

/** What each key signs. */
const NAMES: Record<SecretName, string> = { edge: 'requests of edges to core', links: 'links to pictures' }
const ROTATED = { ...NAMES, evidence: 'exported evidence' }

export function addSecrets(mien: Command): void {
  const secrets = verb(mien, 'secrets', 'mien secrets list', 'mien secrets rotate links')
    .summary('List and rotate the keys of an installation.')
    .description(
      'List and rotate the keys of an installation. A running service takes a change within seconds.',
    )
  const add = verbsOf(secrets, () => import('../administration/secrets.ts'))
  add('list', 'mien secrets list --json')
    .description('List the keys by their ids, never the keys themselves.')
    .option('--json', 'print one JSON array')
  add('rotate', 'mien secrets rotate links')
    .description('Create a key that signs from now on. The previous one stays valid until it is retired.')
    .addArgument(keyName(Object.keys(ROTATED)))
  add('retire', 'mien secrets retire links')
    .description('End the previous key.')
    .addArgument(keyName(Object.keys(NAMES)))
  add('show', 'mien secrets show edge | npx wrangler secret put EDGE_SECRET')
    .description("Print the edge's key, for wrangler secret put EDGE_SECRET.")
    .addArgument(keyName(['edge']))
}

const keyName = (names: readonly string[]) =>
  new Argument(
    '<KEY>',
    names.map(name => `${name}: signs ${ROTATED[name as keyof typeof ROTATED]}`).join('; '),
  ).choices(names)

function ownerId(text: string) {
  if (OwnerId.safeParse(text).success) return text
  throw new InvalidArgumentError('Expected an ID, as "mien owner list" prints it.')
}

export function addAudit(mien: Command): void {
  const audit = verb(mien, 'audit', 'mien audit list --since 2026-11-01', 'mien audit verify').description(
    'Show, verify and prune the log of changes, also while the service runs.',
  )
  const add = verbsOf(audit, () => import('../administration/audit-log.ts'))
  add('list', 'mien audit list --since 2026-11-01')
    .description('Print the entries, one line of JSON each.')
    .option('--since <TIME>', 'entries from this day or time on (ISO 8601, UTC)')
    .option('--face <ID>', 'entries about this face', wholeNumber(0))
    .option('--owner <ID>', 'entries about this owner', ownerId)
    .option('--json', 'print one JSON array instead of lines')
  add('verify', 'mien audit verify')
    .description('Check that no entry was changed or removed.')
    .option('--from <HEAD>', 'the output of an earlier head')
  add('head', 'mien audit head').description(
    "Print the newest entry's number and hash. Keep it elsewhere, for verify --from.",
  )
  add('export', 'mien audit export /backups/audit.jsonl')
    .description('Write the log to a file, or append what is new. A restore replays its deletions.')
    .argument('<FILE>', 'the file to write')
  add('prune', 'mien audit prune --before 2025-11-01')
    .description('Delete older entries.')
    .requiredOption('--before <TIME>', 'a day or time of ISO 8601 (UTC), such as 2026-11-20')
}
