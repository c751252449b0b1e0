/** Checks what `mien watch` needs: the program ffmpeg. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { WATCHER_TOKEN_FILE } from '../service/watcher.ts'
import { FFMPEG_REMEDY, ffmpegProgram, ffmpegVersion } from '../watch/ffmpeg-program.ts'
import { type Check, note, ok, problem, warning } from './check.ts'

/** The oldest version that has all options of the watcher. */
const OLDEST = 5

export const ffmpeg: Check = async ({ data, env }) => {
  const version = await ffmpegVersion(ffmpegProgram(undefined, env))
  if (version === undefined) {
    // "mien start --watch" leaves its token.
    if (existsSync(join(data, WATCHER_TOKEN_FILE)))
      return problem('There is no ffmpeg: "mien start --watch" cannot read cameras.', FFMPEG_REMEDY)
    return note(
      'There is no ffmpeg: cameras cannot be watched on this machine.',
      `For cameras: ${FFMPEG_REMEDY}`,
    )
  }
  const major = /^n?(\d+)/.exec(version)?.[1]
  if (major !== undefined && Number(major) < OLDEST)
    return warning(`ffmpeg ${version} is older than ${OLDEST}.`, `For mien watch: ${FFMPEG_REMEDY}`)
  return ok(`ffmpeg ${version}.`)
}
