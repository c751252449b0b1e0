/** `mien audit`: shows, verifies, exports and prunes the audit log, also while the service runs. */
import type { Command } from 'commander'
import type { ListOptions, PruneOptions, VerifyOptions } from './administration/audit-log.ts'
import { action, examples, type GlobalOptions } from './terminal/command-line.ts'

const load = () => import('./administration/audit-log.ts')

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
    .action(action(async (options: VerifyOptions) => (await load()).verify(options)))
  audit
    .command('head')
    .description("Print the newest entry's number and hash. Keep it elsewhere, for verify --from.")
    .addHelpText('after', examples('mien audit head'))
    .action(action(async (options: GlobalOptions) => (await load()).head(options)))
  audit
    .command('export')
    .description('Write the log to a file, or append what is new. A restore replays its deletions.')
    .argument('<FILE>', 'the file to write')
    .addHelpText('after', examples('mien audit export /backups/audit.jsonl'))
    .action(action(async (options: GlobalOptions, file: string) => (await load()).exportLog(options, file)))
  audit
    .command('prune')
    .description('Delete older entries.')
    .requiredOption('--before <TIME>', 'a day or time of ISO 8601 (UTC), such as 2026-11-20')
    .addHelpText('after', examples('mien audit prune --before 2025-11-01'))
    .action(action(async (options: PruneOptions) => (await load()).pruneLog(options)))
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
    .action(action(async (options: ListOptions) => (await load()).list(options)))
}
