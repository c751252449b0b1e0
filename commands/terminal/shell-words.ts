/** Quotes words for command lines that a person pastes into a shell. */

/** Characters that need no quotes in any shell. */
const PLAIN = /^[\w@%+=:,./-]+$/

/** The text as one word of a POSIX shell, or of PowerShell and cmd on Windows. */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (PLAIN.test(text)) return text
  return platform === 'win32' ? `"${text.replaceAll('"', '""')}"` : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A file name for `-F name=@` of curl, which interprets `,` `;` and `"` in it. */
export const curlFile = (path: string): string =>
  /[",;]/.test(path) ? `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : path
