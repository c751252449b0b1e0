/** Names the reason why ffmpeg ended, from its messages. The messages themselves may contain the password of a camera. */
import type { StreamError } from '../../contract/model/watching/camera-state.ts'

/** Why a stream ended. `refused`: it was not opened. */
export type StreamEnd = Exclude<StreamError, 'refused'> | 'stopped'

/** Reasons by ffmpeg's messages; the first match counts. */
const REASONS: readonly (readonly [RegExp, StreamEnd])[] = [
  [
    /option .*not found|unrecognized option|error splitting|unknown hwaccel|unrecognized hwaccel/i,
    'bad option',
  ],
  [/not on whitelist|not in whitelist/i, 'not allowed'],
  [/\b40[13] |unauthorized|forbidden|authorization failed/i, 'access denied'],
  [/\b404 |not found|no such file/i, 'not found'],
  [/connection refused/i, 'connection refused'],
  [/no route to host|unreachable|failed to resolve|name or service|input\/output error/i, 'unreachable'],
  [/timed out/i, 'timeout'],
  [
    /invalid data|could not find codec|moov atom|matches no streams|unknown format|does not contain any stream/i,
    'no video',
  ],
]

/** The reason; `ended` when the messages name none. */
export const reasonIn = (messages: string): StreamEnd =>
  REASONS.find(([pattern]) => pattern.test(messages))?.[1] ?? 'ended'
