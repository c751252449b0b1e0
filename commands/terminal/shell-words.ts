/** Words of a command line that a person pastes into a shell. */

/** Characters that mean themselves in every shell. */
const PLAIN = /^[\w@%+=:,./-]+$/

/** The text as one word: of a POSIX shell, or of PowerShell and cmd on Windows. */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (PLAIN.test(text)) return text
  return platform === 'win32' ? `"${text.replaceAll('"', '""')}"` : `'${text.replaceAll("'", `'\\''`)}'`
}

/** What follows `-F name=@` of curl, which reads `,` `;` and `"` in the name of a file for itself. */
export const curlFile = (path: string): string =>
  /[",;]/.test(path) ? `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : path
