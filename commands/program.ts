/** The program `mien`: its verbs, in the order of its help. */
import { type Command, Option } from 'commander'
import { IS_RELEASE } from '../core/files/program-form.ts'
import { examples, programNamed } from './terminal/command-line.ts'
import { dataFolder, defaultData, installedVersion } from './terminal/paths.ts'
import { addAudit, addOwner, addSecrets, addToken } from './verbs/access.ts'
import { addApi, addCheck, addEvents, addReplaced } from './verbs/api.ts'
import { addMqtt, addWatch } from './verbs/cameras.ts'
import { addBackup, addEncryption, addRestore, addStore } from './verbs/data.ts'
import { addEnrol, addExport } from './verbs/faces.ts'
import { addDetect, addIdentify, addModels, addVerify } from './verbs/recognition.ts'
import {
  addBuild,
  addCore,
  addDoctor,
  addEdge,
  addSettings,
  addStart,
  addStatus,
  NO_PROXY_USERS,
} from './verbs/service.ts'

const EXIT_CODES = '\nExit codes: 0 success, 1 failure or finding, 2 usage error.'

/** Verbs by the heading of their group. The file of a verb only defines it; its action imports the rest. */
const GROUPS: Record<string, readonly ((mien: Command) => void)[]> = {
  'Run the service:': [addStart, addCore, addEdge, addStatus, addSettings, addDoctor, addBuild],
  'Watch cameras:': [addWatch, addMqtt],
  'Use the API:': [addDetect, addVerify, addIdentify, addCheck, addEvents, addApi],
  'Manage access:': [addToken, addOwner, addSecrets, addAudit],
  'Manage data:': [addEnrol, addExport, addStore, addBackup, addRestore, addEncryption],
  'Manage recognition:': [addModels],
}

/** Variables of 0.2 without their prefix, and what to do without them. */
const REMOVED_VARIABLES = {
  FFMPEG: 'use --ffmpeg, or the PATH',
  MQTT_CA: 'use --broker-ca',
  MQTT_PASSWORD: 'use --broker-login',
  MQTT_USER: 'use --broker-login',
  ONLY_INDEX: 'searches read all vectors',
  OTHER_CORES: 'use --other-cores',
  USER_HEADER: NO_PROXY_USERS,
  USER_PROXIES: NO_PROXY_USERS,
}

/** Throws for a removed variable that is set: without it, the command would do something else. */
function refuseRemovedVariables() {
  for (const [name, advice] of Object.entries(REMOVED_VARIABLES))
    if (process.env[`MIEN_${name}`]) throw new Error(`MIEN_${name} is no longer read. Unset it: ${advice}.`)
}

/** Verbs that write into the data folder, beside verbs that run the service. */
const WRITERS: readonly string[] = [
  'token',
  'owner',
  'secrets',
  'audit',
  'settings',
  'store',
  'backup',
  'restore',
  'encryption',
  'models',
]

/** Throws for root where another user runs the service. */
async function refuseRootAt(_: Command, command: Command) {
  const { refuseRoot } = await import('./terminal/data-folder.ts')
  refuseRoot(dataFolder(command.optsWithGlobals().data))
}

/**
 * The program, ready to parse these words. It has the operations of `mien api` only when one word is `api`: they take long to
 * load.
 */
export async function mienProgram(words: readonly string[] = []): Promise<Command> {
  const mien = programNamed('mien', 'A face recognition service that you run yourself.')
    .helpCommand('help [command]', 'print the help of a command')
    .version(installedVersion(), '-V, --version', 'print the version')
    .addOption(
      new Option(
        '--data <DIR>',
        `data folder (default: ${IS_RELEASE ? defaultData() : 'data in the project'})`,
      ).env('MIEN_DATA'),
    )
    .hook('preAction', refuseRemovedVariables)
    .addHelpText('after', EXIT_CODES)
    .addHelpText('after', examples('mien start --data /srv/mien', 'mien help token'))
  for (const [heading, verbs] of Object.entries(GROUPS)) {
    mien.commandsGroup(heading)
    for (const add of verbs) add(mien)
  }
  for (const verb of mien.commands) if (WRITERS.includes(verb.name())) verb.hook('preAction', refuseRootAt)
  addReplaced(mien)
  if (words.includes('api')) {
    const api = mien.commands.find(command => command.name() === 'api')!
    const { addOperations } = await import('./api/operations.ts')
    addOperations(api, words)
  }
  return mien
}
