/** The description at the top of the API's documents. */
import { LIMITS } from '../../core/contract/limits.ts'
import { DEFAULT_THRESHOLD, THRESHOLDS } from '../../core/contract/model/thresholds.ts'
import { STANDARD } from '../../models/manifest.ts'
import { thresholdRows, worstCase } from '../../models/threshold-rows.ts'
import type { Version } from '../operations/route.ts'

const MB = 2 ** 20

/** In Markdown. */
export const introductionTo = (version: Version): string => `\
Find faces on photos, compare them, store them, and search for the people they show.

**Token.** Every operation needs the header \`Authorization: Token <key>\` or \`Authorization: Bearer <key>\`. To try an operation on
the interactive page, press *Authorize*: enter the word \`Token\`, a space and your key under *token*, or the key alone under
*bearer*. A token has a scope. An operation outside the scope is refused with \`FORBIDDEN\`.

**Parameters** come as JSON, as a URL-encoded form, as multipart, or in the query string. The same values give the same answer in
each encoding. The query string may accompany a body; the body takes precedence. Numbers and booleans may be sent as text. A list is
a JSON array, a repeated key (\`name\` or \`name[]\`), or text with commas. A box is \`{"x1", "y1", "x2", "y2"}\` or
\`[x1, y1, x2, y2]\`; a list of boxes or JSON text is accepted too. Nested names such as \`bbox[0][x1]\` or \`bbox[][x1]\` mean
the structure that they spell. Unknown parameters are ignored and named in the response header \`X-Ignored-Parameters\`. A trailing
slash in a path is ignored. A path without a version is one of v1.

**Photos** are JPEG, PNG or WEBP of at most ${LIMITS.photoBytes / MB} MB. A photo is an uploaded file of a multipart body. In any
encoding it may instead be the URL of a public photo, or a \`data:image/...;base64,\` URL. An operation that takes one photo also
accepts a body of type \`image/*\`, with the parameters in the query. Faces have at least
${LIMITS.faceSide} x ${LIMITS.faceSide} pixels.

**Confidence** ranges from 0 to 1. A \`threshold\` is a number or a name: ${thresholds()}. The default is ${DEFAULT_THRESHOLD}.

${letsThrough()}

**Timestamps** are UTC, as in \`2017-05-17T08:58:00.930572\`. Any ISO 8601 time is accepted.

**Errors** have a \`code\` for programs and a \`reason\` for people. Every response has the header \`X-Request-Id\`. A known path with
another method is refused with 405 \`METHOD_NOT_ALLOWED\`, and the header \`Allow\` lists the methods that exist.
${version === 'v1' ? ATTRIBUTES : ''}`

const thresholds = (): string =>
  Object.entries(THRESHOLDS)
    .map(([name, value]) => `\`${name}\` ${value}`)
    .join(', ')

/** What the thresholds of the standard pack do, by both of its tables. */
function letsThrough(): string {
  const { measured } = STANDARD.embedder.calibration
  if (!measured?.alike) return ''
  return `\
**What a threshold lets through.** Pairs of photos of two people that are taken for one person, and pairs of photos of one person that
are recognised, with the standard models, on adults of ten groups (by gender and origin) in equal numbers:

${markdown(thresholdRows(measured.default))}

${worstCase('medium', measured.default.medium)}
An operator who has to promise the same to each group sets \`MIEN_CALIBRATION=alike\`. The same names then mean:

${markdown(thresholdRows(measured.alike))}

${worstCase('medium', measured.alike.medium)}`
}

function markdown(rows: readonly Record<string, string>[]): string {
  const names = Object.keys(rows[0]!)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [names, names.map(() => '---'), ...rows.map(row => names.map(name => row[name]!))]
    .map(line)
    .join('\n')
}

const ATTRIBUTES = `
**Gender, age and emotions** are what v1 adds to v0. \`POST /detect\` and \`POST /face\` return them on request, if the operator has
enabled the option \`gae\`.
`
