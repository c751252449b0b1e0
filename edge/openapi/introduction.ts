/** The introduction of the OpenAPI documents. */
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import { DEFAULT_THRESHOLD, THRESHOLDS } from '../../contract/model/face.ts'
import type { Version } from '../../contract/operations/operation.ts'
import { thresholdRows, worstCase } from '../../models/calibrations.ts'
import { STANDARD } from '../../models/manifest.ts'

const MB = 2 ** 20

/** Description of a version's API, in Markdown. */
export const introductionTo = (version: Version): string => `\
Detect, compare, store and search for faces on photos. This is the API of FindFace Enterprise Server 2.x (${version}; not affiliated), with
additions.

**Token.** Every operation requires the header \`Authorization: Token <key>\` or \`Authorization: Bearer <key>\`. To try an operation on
the interactive page, press *Authorize*, and enter your key in one of the two fields. A token has a scope. The service refuses an
operation outside the scope with \`FORBIDDEN\`.

**Parameters** are JSON, a URL-encoded form, multipart, or a query string. All encodings are equivalent. A request may have a
query string and a body; the body takes precedence. Numbers and booleans may be text. A list is a JSON array, a repeated key
(\`name\` or \`name[]\`), or comma-separated text. A box is \`{"x1", "y1", "x2", "y2"}\` or \`[x1, y1, x2, y2]\`. A list of boxes and JSON text are
also accepted. Nested names, for example \`bbox[0][x1]\` or \`bbox[][x1]\`, describe lists and objects. The service ignores unknown
parameters and lists them in the response header \`X-Ignored-Parameters\`. A trailing slash in a path is ignored. Paths without a
version belong to v1.

**Photos** are JPEG, PNG or WEBP files of at most ${PHOTO_LIMITS.bytes / MB} MB. A photo is a file in a multipart body. In every
encoding it may also be the URL of a public photo, or a \`data:image/...;base64,\` URL. An operation with one photo also accepts the
photo as the body, of the type \`image/*\` or \`application/octet-stream\`, with the other parameters in the query string. The minimum
size of a face is ${PHOTO_LIMITS.faceSide} x ${PHOTO_LIMITS.faceSide} pixels.

**Confidence** ranges from 0 to 1. A \`threshold\` is a number or a name: ${thresholds()}. The default is ${DEFAULT_THRESHOLD}.

${errorRates()}

**Timestamps** in responses are UTC, for example \`2017-05-17T08:58:00.930572\`. Requests may contain any ISO 8601 time, with a calendar,
week or ordinal date.

**Errors** have a \`code\` for programs and a \`reason\` for people. Every response has the header \`X-Request-Id\`. For a known path with
an unsupported method, the service returns 405 \`METHOD_NOT_ALLOWED\`, and the header \`Allow\` lists the supported methods.
${version === 'v1' ? ATTRIBUTES_TEXT : ''}`

const thresholds = () =>
  Object.entries(THRESHOLDS)
    .map(([name, value]) => `\`${name}\` ${value}`)
    .join(', ')

/** Error rates of the thresholds with the standard pack, for both of its calibration tables, in Markdown. */
function errorRates() {
  const { measured } = STANDARD.embedder.calibration
  if (!measured?.alike) return ''
  return `\
**Error rates of the thresholds.** Share of pairs of different people that match, and share of pairs of one person that match.
Measured with the standard models on adults of ten groups (by gender and origin) in equal numbers:

${markdown(thresholdRows(measured.default))}

${worstCase('medium', measured.default.medium)}
An operator who needs the same guarantee for each group sets \`MIEN_CALIBRATION=alike\`. The names then have these rates:

${markdown(thresholdRows(measured.alike))}

${worstCase('medium', measured.alike.medium)}`
}

function markdown(rows: readonly Record<string, string>[]) {
  const names = Object.keys(rows[0]!)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [names, names.map(() => '---'), ...rows.map(row => names.map(name => row[name]!))]
    .map(line)
    .join('\n')
}

const ATTRIBUTES_TEXT = `
**Gender, age and emotions** are available in v1 and not in v0. \`POST /detect\` and \`POST /face\` return them on request, if the
operator has enabled the option \`gae\`.
`
