/** Verbs that use the API in general: `mien api`, `check` and `events`, and verbs that `mien api` replaced. */
import type { Command } from 'commander'
import type { EventConnection } from '../../clients/typescript/src/index.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { ApiOperation } from '../../contract/operations/table.ts'
import { type ServiceOptions, wholeNumber, withServiceAddress, withServiceOptions } from '../api/options.ts'
import { action, addRemoved, lazyAction, verb } from '../terminal/command-line.ts'

export function addApi(mien: Command): void {
  verb(
    mien,
    'api',
    'mien api createGallery --gallery staff --retention_days 365',
    'mien api createCamera --meta "front door" --url @door.url',
    'mien api listPersons --name ann',
  )
    .summary('Send any request of the API, and print the answer as JSON.')
    .description(
      'Send any request of the API, and print the answer as JSON. Options are the parameters of the operation. ' +
        '@FILE is the content of a file, and @- of standard input: for photos, and for secrets, which other users could read on ' +
        'the command line. @@ stands for @. MIEN_URL and MIEN_TOKEN name another service instead of --data.',
    )
}

/** Commands that were removed, with the operations that do the same. */
const REPLACED = {
  gallery: {
    list: 'listGalleries',
    show: 'getGallery',
    create: 'createGallery',
    change: 'changeGallery',
    delete: 'deleteGallery',
  },
  person: {
    list: 'listPersons',
    show: 'getPerson',
    history: 'personHistory',
    delete: 'deletePerson',
  },
  camera: { list: 'listCameras', show: 'getCamera', create: 'createCamera', delete: 'deleteCamera' },
  alert: {
    list: 'listAlerts',
    create: 'createAlert',
    test: 'testAlert',
    deliveries: 'listDeliveries',
    delete: 'deleteAlert',
  },
  bench: {},
} satisfies Record<string, Record<string, ApiOperation>>

export function addReplaced(mien: Command): void {
  for (const [name, operations] of Object.entries(REPLACED))
    addRemoved(mien, name, ([word = '']) => {
      const known = new Map(Object.entries<string>(operations))
      const names = known.get(word) ?? [...known.values()].join(', ')
      const removed = `mien ${[name, ...(known.has(word) ? [word] : [])].join(' ')} is removed`
      return names === '' ? `${removed}.` : `${removed}: use mien api ${names}.`
    })
}

export function addCheck(mien: Command): void {
  const check = verb(mien, 'check', 'mien check staff', 'mien check staff --set-aside')
    .description(
      'Find faces under a wrong name, persons that look alike, poor faces and duplicates in a gallery. ' +
        'The exit code is 1 when something is found.',
    )
    .argument('<GALLERY>', 'its name')
    .option(
      '--set-aside',
      'set faces aside that do not match the others of their person: searches leave them out',
    )
    .action(lazyAction(() => import('../api/check-gallery.ts'), 'checkGallery'))
  withServiceOptions(check)
}

interface EventsOptions extends ServiceOptions {
  alerts?: boolean
  camera?: string[]
  after?: number
  limit?: number
}

export function addEvents(mien: Command): void {
  const command = verb(mien, 'events', 'mien events --alerts')
    .description('Print the events of cameras as they arrive, as lines of JSON.')
    .option('--alerts', 'alerts of all rules, too')
    .option('--camera <ID...>', 'events of these cameras')
    .option('--after <ID>', 'begin after this id (default: with the events from now on)', wholeNumber(0))
    .option('--limit <N>', 'end after N lines (default: never)', wholeNumber(1))
  withServiceAddress(command).action(action(printEvents))
}

const sayLost = (state: EventConnection) => {
  if (state === 'reconnecting') console.error('The service does not answer. The command tries again.')
}

async function printEvents(options: EventsOptions) {
  const { alerts, camera, after, limit = Number.POSITIVE_INFINITY } = options
  const client = await (await import('../terminal/connection.ts')).clientOf(options)
  const given = {
    ...omitUndefined({ cam_ids: camera }),
    lastEventId: after?.toString(),
    onConnection: sayLost,
  }
  let lines = 0
  for await (const item of alerts ? client.events({ ...given, alerts }) : client.events(given)) {
    console.log(JSON.stringify(item))
    if (++lines >= limit) break
  }
  return 0
}
