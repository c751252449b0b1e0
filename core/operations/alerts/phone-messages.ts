/** Messages to phones by ntfy, Gotify and Telegram: texts, a link, and the picture if the rule shows it. */
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import type { AlertFormat, AlertMessage } from '../../../contract/model/alert.ts'
import { nameOfPerson } from '../../../contract/model/person.ts'
import { parseTimestamp } from '../../../contract/timestamps.ts'
import type { StoredAlert } from '../../metadata/alerts/rules.ts'
import { isWebUrl, webUrl } from '../../network/target.ts'
import type { SignedMessage } from './signed-message.ts'

/** A request to a receiver. */
interface PhoneRequest {
  url: string
  signed: SignedMessage
}

/** The picture of a face: a link that ends, and the file. Undefined: none. */
interface Picture {
  link: string | undefined
  jpeg: Uint8Array<ArrayBuffer> | undefined
}

interface Texts extends Picture {
  title: string
  text: string
  /** A page of the console. */
  page: string
}

interface FormatRequest {
  url: URL
  headers?: Record<string, string>
  body: object | FormData | Uint8Array<ArrayBuffer>
}

interface Format {
  /** Example of a URL of this service, for errors. */
  example: string
  isUrl: (url: URL) => boolean
  request: (url: URL, texts: Texts) => FormatRequest
}

/** Their interfaces: docs.ntfy.sh/publish/#publish-as-json, gotify.net/docs/pushmsg, core.telegram.org/bots/api#sendmessage. */
const FORMATS: Record<AlertFormat, Format> = {
  ntfy: {
    example: 'https://ntfy.sh/TOPIC',
    isUrl: ({ pathname }) => topicOf(pathname) !== '',
    request: (url, { title, text, page, jpeg }) => {
      if (jpeg) {
        // Headers, and no query: logs of requests have the query.
        const headers = { title: encodedWord(title), message: encodedWord(text), click: page }
        return { url, headers: { ...headers, filename: 'face.jpg' }, body: jpeg }
      }
      const topic = topicOf(url.pathname)
      const root = new URL(url)
      root.pathname = url.pathname.slice(0, -topic.length)
      return { url: root, body: { topic: decodeURIComponent(topic), title, message: text, click: page } }
    },
  },
  gotify: {
    example: 'https://gotify.example/message?token=TOKEN',
    isUrl: ({ pathname, searchParams }) => pathname.endsWith('/message') && searchParams.has('token'),
    request: (url, { title, text, page, link }) => ({
      url,
      body: {
        title,
        message: text,
        priority: 5,
        extras: {
          'client::notification': { click: { url: page }, bigImageUrl: link },
        },
      },
    }),
  },
  telegram: {
    example: 'https://api.telegram.org/botTOKEN/sendMessage?chat_id=ID',
    isUrl: ({ pathname, searchParams }) => pathname.endsWith('/sendMessage') && searchParams.has('chat_id'),
    request(url, { title, text, page, jpeg }) {
      const chat = url.searchParams.get('chat_id')!
      const caption = `${title}\n${text}\n${page}`
      if (!jpeg) return { url, body: { chat_id: chat, text: caption } }
      const posted = new URL(url)
      posted.pathname = url.pathname.replace(/sendMessage$/, 'sendPhoto')
      const body = new FormData()
      body.set('chat_id', chat)
      body.set('caption', caption)
      body.set('photo', new Blob([jpeg], { type: JPEG }), 'face.jpg')
      return { url: posted, body }
    },
  },
}

const JPEG = 'image/jpeg'

/** A text for a header, as RFC 2047 encodes it. */
const encodedWord = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

/** The last segment of a path, which has no escape that cannot be decoded; else empty. */
function topicOf(pathname: string) {
  const topic = pathname.slice(pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(topic) === '' ? '' : topic
  } catch {
    return ''
  }
}

/** Description of the URL that a rule with this format needs; undefined when the URL is valid. */
export const expectedUrl = (format: AlertFormat, url: string): string | undefined =>
  isWebUrl(url) && FORMATS[format].isUrl(webUrl(url)) ? undefined : `a URL like ${FORMATS[format].example}`

/** The request of a rule with a format. `camera` is the name of the camera, and may be empty. */
export async function phoneRequest(
  { url, origin, conditions }: Pick<StoredAlert, 'url' | 'origin' | 'conditions'>,
  format: AlertFormat,
  message: AlertMessage,
  { camera, ...picture }: Picture & { camera: string },
): Promise<PhoneRequest> {
  const texts = {
    ...picture,
    title: message.data.alert.name || 'Alert',
    text: [shortenText(whoIn(message)), shortenText(camera), timeIn(message, conditions.time_zone)]
      .filter(Boolean)
      .join(', '),
    page: `${origin}/#/events`,
  }
  const request = FORMATS[format].request(webUrl(url), texts)
  const isFile = request.body instanceof Uint8Array
  const encoded =
    isFile || request.body instanceof FormData
      ? new Response(request.body as BodyInit)
      : Response.json(request.body)
  return {
    url: request.url.href,
    signed: {
      headers: { ...request.headers, 'content-type': isFile ? JPEG : encoded.headers.get('content-type')! },
      // The Response of the HTTP server's library has no bytes().
      body: new Uint8Array(await encoded.arrayBuffer()),
    },
  }
}

/** A text that fits in a message to a phone or a browser. */
export const shortenText = (text: string): string =>
  text.slice(0, ALERT_LIMITS.notificationLength).toWellFormed()

/** Who is seen, in a few words. */
export function whoIn({ type, data: { person, face, matches = [] } }: AlertMessage): string {
  if (type === 'test') return 'This is a test message'
  const [match] = matches
  const name =
    nameOfPerson(person?.meta ?? '') ||
    nameOfPerson(match?.person?.meta ?? '') ||
    match?.face.meta ||
    face?.meta ||
    'Unknown person'
  return match?.verdict === 'probable' ? `Probably ${name}` : name
}

/** Date and time at the place of the rule, like `26 Nov, 18:04`. */
export const timeIn = ({ data: { face } }: AlertMessage, timeZone: string): string | undefined =>
  face &&
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(parseTimestamp(face.timestamp)! / 1000)
