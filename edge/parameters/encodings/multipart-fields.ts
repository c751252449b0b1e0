/** Reads a multipart body into parameters. An invalid part is refused as soon as its headers have arrived. */
import { tooLarge } from '../../../contract/errors.ts'
import { PHOTO_LIMITS } from '../../../contract/limits/photos.ts'
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'
import { Upload } from '../../../contract/parameters/photos.ts'
import type { Permit } from '../../admission/admission.ts'
import { pause } from '../../admission/fair-queue.ts'
import { readBody } from '../../http/body.ts'
import type { KnownParameters } from '../known-parameters.ts'
import { photoInText } from './data-url.ts'
import { scanMultipart } from './multipart.ts'
import { fieldSet, textOf } from './named-fields.ts'
import type { FieldName } from './nested-fields.ts'

interface PartInfo {
  /** Undefined when the operation does not use the content. */
  field: FieldName | undefined
  filename: string | undefined
  /** True for a file. False for text, and for the JSON that browsers send as a file named "blob". */
  isFile: boolean
  /** Maximum size of the content in bytes. */
  most: number
}

interface MultipartBody {
  parameters: Record<string, unknown>
  /** Parameters that arrived as a file. Errors must not repeat their values. */
  fromFiles: ReadonlySet<string>
  /** Names that the operation does not know. */
  unknown: ReadonlySet<string>
}

/** Throws BAD_PARAM for a malformed body, PHOTO_TOO_LARGE for a part above its maximum size, and the errors of readBody. */
export async function readParts(
  request: Request,
  permit: Permit,
  boundary: string,
  known: KnownParameters,
): Promise<MultipartBody> {
  const fields = fieldSet(known, 'body')
  const fromFiles = new Set<string>()
  const takesPhoto = (field: FieldName) => known.photos.includes(field.root)

  const scan = scanMultipart<PartInfo>(boundary, {
    begins({ name, filename, mediaType }) {
      const isFile = filename !== undefined && mediaType !== 'application/json'
      const field = fields.meet(name ?? '', isFile)
      const mostText =
        field && takesPhoto(field) ? REQUEST_LIMITS.dataUrlBytes : REQUEST_LIMITS.plainBodyBytes
      return { field, filename, isFile, most: isFile ? PHOTO_LIMITS.bytes : mostText }
    },
    grows({ field, most }, size) {
      if (size <= most) return
      const isPhoto = field !== undefined && takesPhoto(field)
      throw tooLarge(field?.root ?? 'A part of the request body', isPhoto ? PHOTO_LIMITS.bytes : most)
    },
  })
  const body = await readBody(request, permit, {
    most: REQUEST_LIMITS.bodyBytes,
    arrived: bytes => scan.advance(bytes),
  })

  let decoded = 0
  for (const { seen, start, end } of body.length === 0 ? [] : scan.finish()) {
    const { field, filename, isFile } = seen
    if (field === undefined) continue
    const bytes = body.subarray(start, end)
    // Nothing was chosen in the file input of a form.
    if (filename === '' && bytes.length === 0) fields.put(field, '')
    else if (isFile) fields.put(field, new Upload(bytes, filename ?? ''))
    else {
      fields.put(field, await textOrPhoto(field.root, bytes, takesPhoto(field), filename))
      if (filename !== undefined) fromFiles.add(field.root)
      decoded += bytes.length
      if (decoded > PIECE_BYTES) {
        await pause(0)
        decoded = 0
      }
    }
  }
  return { parameters: fields.parameters(), fromFiles, unknown: fields.unknown }
}

/** Bytes of text decoded between pauses. */
const PIECE_BYTES = 2 ** 20

/** Value of a part that is no file. Throws BAD_PARAM for text that is not UTF-8, PHOTO_TOO_LARGE, and the errors of photoInText. */
async function textOrPhoto(
  param: string,
  bytes: Uint8Array<ArrayBuffer>,
  isPhoto: boolean,
  filename = '',
): Promise<string | Upload> {
  if (!isPhoto) return textOf(param, bytes)
  const photo = await photoInText(param, bytes)
  if (photo !== undefined) return photo
  try {
    return textOf(param, bytes)
  } catch {
    // Some clients send photos without a file name.
    if (bytes.length > PHOTO_LIMITS.bytes) throw tooLarge(param, PHOTO_LIMITS.bytes)
    return new Upload(bytes, filename)
  }
}
