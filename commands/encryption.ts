/** `mien encryption`: encrypts a data folder, decrypts it, and changes its keys, while the service is stopped. */
import type { Command } from 'commander'
import type { RotateOptions } from './administration/encryption.ts'
import { action, examples, type GlobalOptions } from './terminal/command-line.ts'

const load = () => import('./administration/encryption.ts')

const KEY_HELP = `
The key is in MIEN_ENCRYPTION_KEY, or in the file that MIEN_ENCRYPTION_KEY_FILE
names: 32 random bytes as 64 hexadecimal digits or as Base64.`

export function addEncryption(mien: Command): void {
  const encryption = mien
    .command('encryption')
    .summary('Encrypt a data folder, decrypt it, and change its keys.')
    .description(
      'Encrypt a data folder, decrypt it, and change its keys. The service has to be stopped, except for status. ' +
        'An interrupted command resumes when it is repeated.',
    )
    .addHelpText('after', KEY_HELP)
    .addHelpText(
      'after',
      examples('openssl rand -hex 32 > key && export MIEN_ENCRYPTION_KEY_FILE=key', 'mien encryption on'),
    )
  encryption
    .command('status')
    .description('Print whether the folder is encrypted, and with which key.')
    .addHelpText('after', examples('mien encryption status'))
    .action(action(async (options: GlobalOptions) => (await load()).status(options)))
  encryption
    .command('on')
    .description('Encrypt all personal data.')
    .addHelpText('after', KEY_HELP)
    .addHelpText('after', examples('mien encryption on'))
    .action(action(async (options: GlobalOptions) => (await load()).on(options)))
  encryption
    .command('rotate')
    .description('Let a new key open the folder: MIEN_ENCRYPTION_NEW_KEY(_FILE).')
    .option('--data-key', 'encrypt all data again; a new key is optional')
    .addHelpText('after', examples('mien encryption rotate --data-key'))
    .action(action(async (options: RotateOptions) => (await load()).rotate(options)))
  encryption
    .command('off')
    .description('Decrypt everything.')
    .addHelpText('after', examples('mien encryption off'))
    .action(action(async (options: GlobalOptions) => (await load()).off(options)))
}
