/** Finds the program ffmpeg, which the system provides. */
import { execFile } from 'node:child_process'
import { pathOf } from '../terminal/paths.ts'

/** Advice for an operator without ffmpeg. */
export const FFMPEG_REMEDY =
  'Install ffmpeg 5.1 or later, for example with "apt install ffmpeg", or name it with --ffmpeg.'

const ANSWER_MS = 10_000

/** The version that the program prints: the given program, else ffmpeg of the PATH. Undefined if it can't be run. */
export const ffmpegVersion = (
  program = 'ffmpeg',
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> =>
  new Promise(resolve => {
    execFile(program, ['-version'], { timeout: ANSWER_MS, env }, (error, output) =>
      resolve(error ? undefined : (/^ffmpeg version (\S+)/.exec(output)?.[1] ?? 'unknown')),
    )
  })

export const hasFfmpeg = async (): Promise<boolean> => (await ffmpegVersion()) !== undefined

/** Throws when the program can't be run. Returns its name. */
export async function requireFfmpeg(given?: string): Promise<string> {
  const program = given ? pathOf(given) : 'ffmpeg'
  if ((await ffmpegVersion(program)) !== undefined) return program
  throw new Error(`The program ${program} can't be run. ${FFMPEG_REMEDY}`)
}
