/** A multipart body -> parameters. What one of its parts may not be is refused when the part's headers have arrived. */
import { ServiceError } from '../../../core/contract/errors.ts'
import { LIMITS } from '../../../core/contract/limits.ts'
import type { Permit } from '../../admission/admission.ts'
import { pause } from '../../admission/fair-queue.ts'
import type { KnownParameters } from '../../parameters/known-parameters.ts'
import { readBody } from '../body.ts'
import { isDataUrl, photoOfDataUrl } from './data-url.ts'
import type { FieldName } from './field-name.ts'
import { type PartHead, scanMultipart } from './multipart.ts'
import { fieldSet } from './named-fields.ts'
import { Upload } from './upload.ts'

interface Expected {
  /** Undefined when the content is not needed. */
  field: FieldName | undefined
  filename: string | undefined
  /** Sent as a file, and not as the JSON that browsers send as a file named "blob". */
  isFile: boolean
  /** Bytes that the content may have. */
  most: number
}

export interface MultipartBody {
  parameters: Record<string, unknown>
  fromFiles: ReadonlySet<string>
  unknown: ReadonlySet<string>
}

export async function readParts(
  request: Request,
  permit: Permit,
  boundary: string,
  known: KnownParameters,
): Promise<MultipartBody> {
  const fields = fieldSet(known, 'body')
  const fromFiles = new Set<string>()
  const takesPhoto = (field: FieldName): boolean => known.photos.includes(field.root)

  const scan = scanMultipart<Expected>(boundary, {
    begins({ name, filename, mediaType }: PartHead) {
      const isFile = filename !== undefined && mediaType !== 'application/json'
      const field = fields.meet(name ?? '', isFile)
      const ofText = field && takesPhoto(field) ? LIMITS.dataUrlBytes : LIMITS.plainBodyBytes
      return { field, filename, isFile, most: isFile ? LIMITS.photoBytes : ofText }
    },
    grows({ most }, size) {
      if (size > most) throw new ServiceError('PHOTO_TOO_LARGE')
    },
  })
  const body = await readBody(request, permit, {
    most: LIMITS.bodyBytes,
    arrived: bytes => scan.advance(bytes),
  })
  if (body.length === 0) return { parameters: {}, fromFiles, unknown: fields.unknown }

  let decoded = 0
  for (const { seen, start, end } of scan.finish()) {
    const { field, filename, isFile } = seen
    if (field === undefined) continue
    const bytes = body.subarray(start, end)
    if (isFile) fields.put(field, new Upload(bytes, filename ?? ''))
    else if (takesPhoto(field) && isDataUrl(bytes)) fields.put(field, await photoOfDataUrl(field.root, bytes))
    else {
      fields.put(field, textOrUpload(bytes, filename))
      if (filename !== undefined) fromFiles.add(field.root)
      decoded += bytes.length
      if (decoded > PIECE) {
        await pause(0)
        decoded = 0
      }
    }
  }
  return { parameters: fields.parameters(), fromFiles, unknown: fields.unknown }
}

/** Bytes of texts that are decoded without a pause. */
const PIECE = 2 ** 20

/** Text, unless its bytes can't be: clients upload photos without a name. */
function textOrUpload(bytes: Uint8Array, filename = ''): string | Upload {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new Upload(bytes, filename)
  }
}
