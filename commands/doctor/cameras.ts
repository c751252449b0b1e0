/** Checks what `mien watch` needs: the program ffmpeg. */
import { FFMPEG_REMEDY, ffmpegProgram, ffmpegVersion } from '../watch/ffmpeg-program.ts'
import { type Check, ok, warning } from './check.ts'

/** The oldest version that has all options of the watcher. */
const OLDEST = 5

export const ffmpeg: Check = async ({ env }) => {
  const version = await ffmpegVersion(ffmpegProgram(undefined, env))
  if (version === undefined) return ok(`There is no ffmpeg. Only mien watch needs it. ${FFMPEG_REMEDY}`)
  const major = /^n?(\d+)/.exec(version)?.[1]
  if (major !== undefined && Number(major) < OLDEST)
    return warning(`ffmpeg ${version} is older than ${OLDEST}.`, `For mien watch: ${FFMPEG_REMEDY}`)
  return ok(`ffmpeg ${version}.`)
}
