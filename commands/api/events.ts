/** `mien events`: prints live events, and alerts on request, as lines of JSON. */
import type { Command } from 'commander'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { action, examples } from '../terminal/command-line.ts'
import { type ServiceOptions, wholeNumber, withServiceAddress } from './options.ts'

interface EventsOptions extends ServiceOptions {
  alerts?: boolean
  camera?: string[]
  after?: number
  limit?: number
}

export function addEvents(mien: Command): void {
  const command = mien
    .command('events')
    .description('Print the events of cameras as they arrive, as lines of JSON.')
    .option('--alerts', 'alerts of all rules, too')
    .option('--camera <ID...>', 'events of these cameras')
    .option('--after <ID>', 'begin after this id (default: with the events from now on)', wholeNumber(0))
    .option('--limit <N>', 'end after N lines (default: never)', wholeNumber(1))
  withServiceAddress(command)
    .addHelpText('after', examples('mien events --alerts'))
    .action(action(printEvents))
}

async function printEvents(options: EventsOptions): Promise<number> {
  const { alerts, camera, after, limit = Number.POSITIVE_INFINITY } = options
  const client = await (await import('./service.ts')).clientOf(options)
  const given = { ...omitUndefined('cam_ids', camera), lastEventId: after?.toString() }
  let lines = 0
  for await (const item of alerts ? client.events({ ...given, alerts }) : client.events(given)) {
    console.log(JSON.stringify(item))
    if (++lines >= limit) break
  }
  return 0
}
