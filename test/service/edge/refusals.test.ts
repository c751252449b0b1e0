/** Refusals of the API: each has its status, its code and the parameter, and changes nothing. */
import sharp from 'sharp'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { form, type Send, sample } from '#test/support/client.ts'
import { CLIP } from '#test/support/operation-samples.ts'
import { printedFace } from '#test/support/photos/printed.ts'
import { apiOf } from './shared.ts'

const OWNER = `refused ${process.pid}`
const photo = await sample(3)
const print = await printedFace()
const URL = 'http://a.invalid/x.jpg'
const lease = 'PUT /v1/camera/CAMERA/lease'
const snapshot = 'PUT /v1/face/id/FACE/snapshot'
const clip = 'PUT /v1/face/id/FACE/clip'
const corners = { x1: '10', y1: '12', x2: '80', y2: '84' }

const red = (width: number) => sharp({ create: { width, height: 60, channels: 3, background: 'red' } })
const leased = async (picture: Buffer | Promise<Buffer>) =>
  form({ watcher: 'one', picture: new Uint8Array(await picture) })

/** More than a field may have. */
const LARGE_TEXT = 'a'.repeat(REQUEST_LIMITS.plainBodyBytes + 1)

/** Sample photo 3 with faces of about 32 px. */
const small = new Uint8Array(
  await sharp(photo).resize(350).extend({ bottom: 200, background: 'grey' }).jpeg().toBuffer(),
)

const tooSmall = (bbox: string) =>
  new RegExp(`\\d faces are smaller than 50 px .* boxes of at least 50 x 50 px in \`${bbox}\`\\.$`)

const printed = /^The face at \[\d+, \d+, \d+, \d+\] looks like a print or a screen\./
const poor = form({ photo: print, min_liveness: '0.5' })

type Refusal = readonly [request: string, sent?: BodyInit | object | undefined, reason?: RegExp]

/**
 * Requests by their answers: status, code and parameter. FACE stands for the id of a face with snapshot and clip, CAMERA for the id
 * of its camera, LONG for a long text.
 */
const REFUSALS: Record<string, readonly Refusal[]> = {
  '404 NOT_FOUND': [
    ...['1', 'abc', '9007199254740993', '%00'].flatMap(id =>
      ['GET', 'DELETE'].map(method => [`${method} /v0/face/id/${id}`] as const),
    ),
    ['GET /v0/faces/gallery/nowhere'],
    ['GET /v0/face/gallery/nowhere/meta/b'],
    ['GET /v0/meta/gallery/nowhere'],
    ['DELETE /v0/faces/gallery/nowhere/meta/b'],
    ['POST /v0/verify', form({ photo1: photo, person_id: '2' })],
  ],
  '400 BAD_PARAM meta': [
    ['GET /v0/face/meta/'],
    ['DELETE /v0/face/meta/'],
    ['DELETE /v0/face/meta'],
    ['DELETE /v0/face/meta?meta='],
    ['DELETE /v0/faces/gallery/staff/meta/?meta='],
  ],
  '400 BAD_PARAM name': ['persons', 'persons/summaries'].flatMap(path =>
    ['%20', 'LONG'].map(name => [`GET /v0/${path}?name=${name}`] as const),
  ),
  '409 GALLERY_EXISTS gallery': [['POST /v0/galleries/default']],
  '400 BAD_PARAM gallery': [
    ['POST /v0/galleries/a b'],
    ['DELETE /v0/galleries/default'],
    ['POST /v0/history/search', { gallery: 'unknown' }],
    ['POST /v0/identify', form({ photo, gallery: 'nowhere' })],
    ['POST /v0/faces/gallery/staff/identify', form({ photo, gallery: 'default' })],
  ],
  '400 BAD_PARAM display_name': [
    ['PUT /v1/galleries/default', { display_name: 'Everybody' }],
    ['PUT /v1/galleries/staff', { display_name: 'x'.repeat(101) }],
  ],
  '400 BAD_PARAM rate': [['POST /v1/tokens', { scope: 'read', rate: 1e-300 }]],
  '400 BAD_PARAM options': [['POST /v0/camera', { options: { fps: 31 } }]],
  '400 BAD_PARAM url': [['POST /v0/camera', { url: 'rtsp://***@10.0.0.9/1' }]],
  '400 BAD_PARAM picture': [
    [lease, await leased(red(641).jpeg().toBuffer())],
    [lease, await leased(red(64).png().toBuffer())],
  ],
  '400 BAD_IMAGE': [
    [lease, await leased(Buffer.alloc(9))],
    [snapshot, form({ snapshot: new Uint8Array(500) })],
  ],
  '400 BAD_PARAM snapshot': [[snapshot, form({ snapshot: new Uint8Array([...photo, 0]) })]],
  '400 BAD_PARAM clip': [photo, CLIP.slice(0, -1), 'http://127.0.0.1/clip.mp4'].map(
    sent => [clip, form({ clip: sent })] as const,
  ),
  '413 PHOTO_TOO_LARGE picture': [[lease, await leased(Buffer.alloc(300_000))]],
  '413 PHOTO_TOO_LARGE': [
    [clip, form({ clip: new Uint8Array(10 * 2 ** 20 + 1) })],
    ['POST /v0/face', form({ photo: new Uint8Array(PHOTO_LIMITS.bytes + 1) }), /^photo exceeds .* 10 MB\.$/],
    ['POST /v0/face', form({ photo: '', meta: LARGE_TEXT }), /^meta exceeds the limit of 4 MB\.$/],
    ['POST /v0/face', 'x'.repeat(21 * 2 ** 20), /^The request body exceeds the limit of 20 MB\.$/],
  ],
  '400 BAD_PARAM bbox': [['POST /v0/detect', form({ photo, ...corners, bbox: '[[0, 0, 60, 60]]' })]],
  '400 BAD_PARAM photo': [
    ['POST /v0/face', form({ image: photo }), /^photo: missing\. Did you mean `photo` instead of `image`\?$/],
    ['POST /v0/face', { foto: URL }, /Did you mean `photo` instead of `foto`\?$/],
    [`POST /v0/detect?imageUrl=${URL}`, undefined, /Did you mean `photo` instead of `imageUrl`\?$/],
    ['POST /v0/detect', { colour: URL }, /got nothing/],
    ['POST /v0/detect', { photo: 'no URL', image: URL }, /^photo: expected one photo: .* got "no URL"\.$/],
  ],
  '400 BAD_PARAM photo2': [
    ['POST /v0/verify', { photo1: URL, image_2: URL }, /instead of `image_2`\?$/],
    ['POST /v0/verify', form({ photo1: photo })],
  ],
  '400 BAD_IMAGE photo2': [['POST /v0/verify', form({ photo1: photo, photo2: photo.slice(0, 300) })]],
  '400 PHOTO_UNREACHABLE photo1': [['POST /v0/verify', { photo1: 'http://127.0.0.1/', photo2: URL }]],
  '400 BAD_PARAM person': [
    ['POST /v0/face', form({ photo, person: 'Zoe', person_id: '1' })],
    ['POST /v0/face', form({ photo, person: 'Zoe', mf_selector: 'all' })],
    ['POST /v0/face', form({ photo, person: 'autogenerated' })],
  ],
  '400 BAD_PARAM person_id': [
    ['POST /v0/face', form({ photo, person_id: 'x'.repeat(300) })],
    ['POST /v0/verify', form({ photo1: photo, person_id: '1', photo2: photo })],
  ],
  '400 BAD_PARAM fpir': [
    ...['-0.1', '1.1', 'strict'].map(fpir => ['POST /v0/identify', form({ photo, fpir })] as const),
    ['POST /v0/identify', form({ photo, fpir: '0.001', threshold: 'strict' })],
  ],
  '400 TOO_MANY_FACES': [['POST /v0/face', form({ photo, mf_selector: 'reject' })]],
  '400 NO_FACES photo': [
    ['POST /v0/face', form({ photo: small, min_quality: '0.9' }), tooSmall('bbox')],
    ['POST /v1/faces', form({ photo: small, mf_selector: 'all' }), tooSmall('bbox')],
  ],
  '400 NO_FACES photo2': [['POST /v0/verify', form({ photo1: photo, photo2: small }), tooSmall('bbox2')]],
  '400 LIVENESS_FAILED photo': ['detect', 'face', 'identify', 'faces/gallery/default/identify'].map(
    path => [`POST /v0/${path}`, poor, printed] as const,
  ),
  '400 LIVENESS_FAILED photo2': [
    ['POST /v0/verify', form({ photo1: photo, photo2: print, min_liveness: '0.5' }), printed],
  ],
}

let api: Send
let words: Record<string, string>
let before: string

/** Everything that these requests could change. */
const state = async () =>
  JSON.stringify(
    await Promise.all(['/v0/faces', '/v0/galleries', '/v0/camera'].map(path => api('GET', path))),
  ).replaceAll(/\?expires=[^"]*/g, '')

beforeAll(async () => {
  api = apiOf(OWNER)
  await api('POST', '/v0/galleries/staff')
  const options = JSON.stringify({ snapshot: true, clip: true })
  const CAMERA = (await api('POST', '/v1/camera', { options })).body.id
  const enrolled = await api('POST', '/v1/face', form({ photo, cam_id: CAMERA, person: 'Ann' }))
  words = { CAMERA, FACE: enrolled.body.results[0].id, LONG: 'x'.repeat(5_000) }
  before = await state()
})

const rows = Object.entries(REFUSALS).flatMap(([answer, requests]) =>
  requests.map(([request, sent, reason]) => ({ answer, request, sent, reason })),
)

it.each(rows)('$request is refused with $answer', async ({ answer, request, sent, reason = /./ }) => {
  const [method = '', ...path] = request.replace(/CAMERA|FACE|LONG/, word => words[word]!).split(' ')
  const { status, body } = await api(method, path.join(' '), sent)
  const code = body.error_code ?? body.code
  expect([status, code, body.param].filter(part => part !== undefined).join(' ')).toBe(answer)
  expect(body.reason).toMatch(reason)
})

afterAll(async () => expect(await state()).toBe(before))
