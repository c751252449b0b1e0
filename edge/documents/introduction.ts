/** The words that open the API's documents. */
import { LIMITS } from '../../core/contract/limits.ts'
import { DEFAULT_THRESHOLD, THRESHOLDS } from '../../core/contract/thresholds.ts'
import type { Version } from '../route.ts'

const MB = 2 ** 20

/** In Markdown. */
export const introductionTo = (version: Version): string => `\
Find faces on photos, compare them, store them, and search for whom they show.

**Token.** Every operation needs the header \`Authorization: Token <key>\`. Press *Authorize* and enter the word
\`Token\`, a space and your key. What a token may be used for is its scope; what it may not is refused with \`FORBIDDEN\`.

**Parameters** come as JSON, as a form, as multipart, or in the query string, and mean the same everywhere. The query may stand
beside a body, which wins. Numbers and booleans may be texts; lists may be JSON, repeated keys (also \`name[]\`), or texts with
commas; boxes are \`{"x1", "y1", "x2", "y2"}\`, \`[x1, y1, x2, y2]\`, lists of these, or the JSON text of any of them. Unknown
parameters are ignored. A slash at the end of a path is, too.

**Photos** are JPEG, PNG or WEBP of at most ${LIMITS.photoBytes / MB} MB: an uploaded file of a multipart body, or the URL of a public
photo in any encoding. Faces have at least ${LIMITS.faceSide} x ${LIMITS.faceSide} pixels.

**Confidence** runs from 0 to 1. A \`threshold\` is a number or a name: ${thresholds()}. It is ${DEFAULT_THRESHOLD} when none is
given.

**Timestamps** are UTC, as in \`2017-05-17T08:58:00.930572\`; on input any ISO 8601.

**Refusals** have a \`code\` for programs and a \`reason\` for people, and every answer has the header \`X-Request-Id\`.
${version === 'v1' ? ATTRIBUTES : ''}`

const thresholds = (): string =>
  Object.entries(THRESHOLDS)
    .map(([name, value]) => `\`${name}\` ${value}`)
    .join(', ')

const ATTRIBUTES = `
**Gender, age and emotions** are the difference to v0: \`POST /detect\` and \`POST /face\` tell of them when asked, if the operator
has allowed it (\`gae\`).
`
