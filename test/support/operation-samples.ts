/** Parameters that an operation accepts, made from its declaration: for sweeps over all operations. */
import type { Operation } from '#contract/operations/table.ts'
import { type OpenapiOverride, overriddenParameters } from '#contract/parameters/json-schema.ts'

/** What exists: values of parameters by name, and ids by the first word of a path. */
interface Known {
  gallery: string
  meta: string
  ids: Readonly<Record<string, string | number>>
}

/** A browser that asks for notifications, of RFC 8291. */
export const BROWSER = {
  endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

/** A box of MP4 with so many bytes of this value. */
export const mp4Box = (kind: string, bytes: number, value = 0): number[] => [
  0,
  0,
  0,
  8 + bytes,
  ...Buffer.from(kind),
  ...new Array<number>(bytes).fill(value),
]

/** The boxes of an MP4 file, without a video in them. */
export const CLIP = Uint8Array.from([...mp4Box('ftyp', 16), ...mp4Box('moov', 8), ...mp4Box('mdat', 200)])

/** The path, its parameters, and the other required parameters. */
export function sampleCall({ path, parameters }: Operation, known: Known) {
  const inPath: Record<string, string> = {}
  const [, subject = ''] = path.split('/')
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    inPath[name] = String(knownValue(name, subject, known))
    return inPath[name]
  })
  const { properties, required } = overriddenParameters(parameters)
  const rest = required
    .filter(name => !(name in inPath))
    .map(name => [name, knownValue(name, subject, known) ?? anyOf(properties[name]!)])
  return { path: filled, inPath, params: Object.fromEntries(rest) as Record<string, unknown> }
}

const knownValue = (name: string, subject: string, { gallery, meta, ids }: Known): unknown =>
  ({ gallery, meta, id: ids[subject], person_id: ids.person, cam_id: ids.camera })[name]

/** A value of a JSON Schema. */
function anyOf({ examples, type, items, minimum = 1 }: OpenapiOverride): unknown {
  if (Array.isArray(examples)) return examples[0]
  if (type === 'array') return [anyOf({ minimum: 1, ...(items as OpenapiOverride) })]
  return type === 'integer' || type === 'number' ? minimum : type === 'boolean' ? true : 'Ann'
}
