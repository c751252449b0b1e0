/** The program `mien`: its verbs, in the order of its help. */
import { type Command, Option } from 'commander'
import { IS_RELEASE } from '../core/files/program-form.ts'
import { addAlert } from './api/alert.ts'
import { addBench } from './api/bench.ts'
import { addCamera } from './api/camera.ts'
import { addEvents } from './api/events.ts'
import { addExport } from './api/export.ts'
import { addGallery } from './api/gallery.ts'
import { addPerson } from './api/person.ts'
import { addDetect, addIdentify, addVerify } from './api/photo-verbs.ts'
import { addAudit } from './audit.ts'
import { addBackup, addRestore } from './backup.ts'
import { addBuild } from './build.ts'
import { addCalibrate } from './calibrate.ts'
import { addCompletion } from './completion.ts'
import { addCore } from './core.ts'
import { addDoctor } from './doctor.ts'
import { addEdge } from './edge.ts'
import { addEncryption } from './encryption.ts'
import { addEnrol } from './enrol.ts'
import { addModels } from './models.ts'
import { addMqtt } from './mqtt.ts'
import { addOwner } from './owner.ts'
import { addSecrets } from './secrets.ts'
import { addStart } from './start.ts'
import { addStatus } from './status.ts'
import { addStore } from './store.ts'
import { examples, programNamed } from './terminal/command-line.ts'
import { defaultData, installedVersion } from './terminal/paths.ts'
import { addToken } from './token.ts'
import { addWatch } from './watch.ts'

const EXIT_CODES = '\nExit codes: 0 success, 1 failure or finding, 2 usage error.'

/** Verbs by the heading of their group. The file of a verb only defines it; its action imports the rest. */
const GROUPS: Record<string, readonly ((mien: Command) => void)[]> = {
  'Run the service:': [addStart, addCore, addEdge, addStatus, addDoctor, addBuild],
  'Watch cameras:': [addWatch, addMqtt],
  'Use the API:': [
    addDetect,
    addVerify,
    addIdentify,
    addGallery,
    addPerson,
    addCamera,
    addAlert,
    addEvents,
    addBench,
  ],
  'Manage access:': [addToken, addOwner, addSecrets, addAudit],
  'Manage data:': [addEnrol, addExport, addStore, addBackup, addRestore, addEncryption],
  'Manage recognition:': [addModels, addCalibrate],
  'Use the terminal:': [addCompletion],
}

/** The program, ready to parse arguments. */
export function mienProgram(): Command {
  const mien = programNamed('mien', 'A face recognition service that you run yourself.')
    .helpCommand('help [command]', 'print the help of a command')
    .version(installedVersion(), '-V, --version', 'print the version')
    .addOption(
      new Option(
        '--data <DIR>',
        `data folder (default: ${IS_RELEASE ? defaultData() : 'data in the project'})`,
      ).env('MIEN_DATA'),
    )
    .addHelpText('after', EXIT_CODES)
    .addHelpText('after', examples('mien start --data /srv/mien', 'mien help token'))
  for (const [heading, verbs] of Object.entries(GROUPS)) {
    mien.commandsGroup(heading)
    for (const add of verbs) add(mien)
  }
  return mien
}
