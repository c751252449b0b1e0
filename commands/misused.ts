/** Commands that can't be meant as they were typed. */

/** The operator asked for something that can't be meant; the usage helps. */
export class Misused extends Error {
  override readonly name = 'Misused'
}

/** Runs a command and gives the process its exit code: 2 with the usage where it was misused, 1 with the message of any other error. */
export async function runCommand(usage: string, run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isMisuse =
      error instanceof Misused ||
      (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    console.error(isMisuse ? `${message}\n\n${usage}` : message)
    process.exitCode = isMisuse ? 2 : 1
  }
}
