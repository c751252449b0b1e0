import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type PythonResult, pythonMissing, startPython } from '#test/support/python.ts'
import { temporaryFolder } from '../../core/folder.ts'
import { type Call, clientScenarios } from '../scenarios.ts'
import { expectUploads, type Reply, refusal, scriptedServer, TOKEN } from '../scripted-server.ts'

/** One interpreter runs all programs: most of a short one's time is the import of requests. */
const INTERPRETER = `
import contextlib, io, json, os, sys, traceback, mien
def failure(call):
    try:
        call()
        print("no failure")
    except Exception as error:
        print(type(error).__name__, getattr(error, "status", None), getattr(error, "code", None))
        return error
for line in sys.stdin:
    program = json.loads(line)
    os.environ["MIEN_URL"] = program["url"]
    client = mien.Client(program["url"], os.environ["MIEN_TOKEN"], retry_delay=0.001)
    output, errors = io.StringIO(), ""
    with contextlib.redirect_stdout(output):
        try:
            exec(program["code"], {"mien": mien, "os": os, "traceback": traceback, "failure": failure, "client": client})
        except Exception:
            errors = traceback.format_exc()
    print(json.dumps({"output": output.getvalue(), "errors": errors}), flush=True)
`

let interpreter: ReturnType<typeof startPython>
let results: AsyncIterator<string>
beforeAll(() => {
  if (pythonMissing) return
  interpreter = startPython(['-c', INTERPRETER], { MIEN_TOKEN: TOKEN })
  results = createInterface(interpreter.stdout)[Symbol.asyncIterator]()
})
afterAll(() => void interpreter?.stdin.end())

/** Output of the program, and requests to the server. */
async function run(code: string, ...replies: [Reply, ...Reply[]]) {
  await using server = await scriptedServer(...replies)
  return { lines: await printed(server.url, code), asked: server.asked }
}

async function printed(url: string, code: string) {
  interpreter.stdin.write(`${JSON.stringify({ url, code })}\n`)
  const { output, errors } = JSON.parse((await results.next()).value) as PythonResult
  expect(errors).toBe('')
  return output.trimEnd().split('\n')
}

const CALLS: Record<Call, string> = {
  'detect a photo': 'client.detect(b"\\1\\2\\3")',
  'enrol a photo': 'client.faces.enrol(b"x")',
  'get a face': 'client.faces.get(1)',
  'delete a face': 'client.faces.delete(1)',
  'create a camera': 'client.cameras.create()',
  'create a gallery': 'client.galleries.create("staff")',
}

const unavailable = refusal(503, 'SERVICE_UNAVAILABLE')
const faces = { body: { faces: [], orientation: 1 } }

describe.skipIf(pythonMissing)('the Python client', { tags: ['long', 'python'] }, () => {
  clientScenarios(async (url, call) => {
    const code = `
error = failure(lambda: ${CALLS[call]})
print("".join(traceback.format_exception(error)), vars(error), getattr(error.__cause__, "request", None)) if error else None`
    const [ended = '', ...shown] = await printed(url, code)
    const known: Record<string, string> = {
      'no failure': 'answered',
      'MienNetworkError None None': 'no answer',
    }
    return { ended: known[ended] ?? ended.replace('MienError ', ''), shown: shown.join() }
  })

  it('tells how many faces a photo shows when one of several was enrolled', async () => {
    const { lines } = await run(
      'for i in (1, 2): print(client.faces.enrol(b"x", on_faces_seen=print))',
      { headers: { 'x-faces-seen': '3' }, body: { results: [] } },
      { body: { results: [] } },
    )
    expect(lines).toEqual(['3', '[]', '[]'])
  })

  it('refuses keys that the service would ignore or refuse', async () => {
    const code = `
for key in ("", " ", "x" * 256, "a\\nb", "é"):
    failure(lambda: client.faces.enrol(b"x", idempotency_key=key))`
    const { lines, asked } = await run(code, {})
    expect([lines, asked]).toEqual([new Array(5).fill('ValueError None None'), []])
  })

  it('follows events, resumes after the last one, and ends with a refusal', async () => {
    const code = `
def follow():
    for event in client.events(cam_ids=["a"], last_event_id="1"):
        print(event["id"], event["face"]["id"])
failure(follow)`
    const stream = (id: number): Reply => ({
      headers: { 'content-type': 'text/event-stream' },
      body: `retry: 1000\n\n:\nid: ${id - 1}\n\nid: ${id}\nevent: face\ndata: {"id":${id * 10}}\n\n`,
    })
    const { lines, asked } = await run(
      code,
      stream(2),
      unavailable,
      'break',
      stream(3),
      refusal(401, 'AUTH_FAILED'),
    )
    expect(lines).toEqual(['2 20', '3 30', 'MienError 401 AUTH_FAILED'])
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual(['1', '2', '2', '2', '3'])
    expect(new URL(asked[0]!.path, 'http://x').searchParams.get('cam_ids')).toBe('["a"]')
  })

  it('raises a timeout when the service is silent', async () => {
    const code = `
brief = mien.Client(os.environ["MIEN_URL"], os.environ["MIEN_TOKEN"], timeout=0.1)
failure(lambda: brief.faces.get(1))
print(issubclass(mien.MienTimeoutError, mien.MienNetworkError))`
    expect((await run(code, 'silence')).lines).toEqual(['MienTimeoutError None None', 'True'])
  })

  it('refuses invalid tokens and URLs, and repeats neither', async () => {
    const code = `
for url, token in (("http://h", "two words"), ("http://h", ""), ("http://ann:secret@h", "t"), ("ftp://h", "t"), ("h", "t")):
    print(failure(lambda: mien.Client(url, token)))`
    const { lines } = await run(code, {})
    const token = 'token: expected the text of a token, mien_...'
    const url = 'url: expected an http or https URL without a user name.'
    const messages = [token, token, url, url, url].flatMap(message => ['ValueError None None', message])
    expect(lines).toEqual(messages)
  })

  it('requests the next page when it is needed, and sends the token to no other host', async () => {
    const page = (id: number, next_page: string | null) => ({ body: { results: [{ id }], next_page } })
    const code = `
pages = client.faces.list(meta='', page_size=1)
print(next(pages)["id"])
print([face["id"] for face in pages])`
    const { lines, asked } = await run(
      code,
      page(9, 'http://127.0.0.1:9/v1/faces?limit=1&max_id=9&meta='),
      page(8, null),
    )
    expect(lines).toEqual(['9', '[8]'])
    expect(asked.map(({ path }) => path)).toEqual([
      '/v1/faces?meta=&limit=1',
      '/v1/faces?limit=1&max_id=9&meta=',
    ])
  })

  it('sends a photo as a file with its name, a URL as text, and parameters as fields', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'ann.jpg'), 'JPEG')
    const path = JSON.stringify(join(folder, 'ann.jpg'))
    const code = `
import io, pathlib
for photo in (${path}, pathlib.Path(${path}), open(${path}, "rb"), io.BytesIO(b"JPEG"), b"JPEG", "https://photos.example/a"):
    client.detect(photo, bbox=[{"x1": 1}], quality=True, min_liveness=None)
failure(lambda: client.detect(7))
failure(lambda: client.detect(open(${path})))
failure(lambda: client.detect("missing.jpg"))`
    const { lines, asked } = await run(code, faces)
    const forms = await Promise.all(
      asked.map(({ body, headers }) =>
        new Response(Buffer.from(body, 'latin1'), {
          headers: { 'content-type': headers['content-type']! },
        }).formData(),
      ),
    )
    const photos = forms.map(form => form.get('photo')!)
    expect(photos.map(photo => (typeof photo === 'string' ? photo : photo.name))).toEqual([
      'ann.jpg',
      'ann.jpg',
      'ann.jpg',
      'photo',
      'photo',
      'https://photos.example/a',
    ])
    expect(await (photos[0] as File).text()).toBe('JPEG')
    const { photo: _, ...fields } = Object.fromEntries(forms[0]!)
    expect(fields).toEqual({ bbox: '[{"x1": 1}]', quality: 'true' })
    expect(lines).toEqual(['TypeError None None', 'TypeError None None', 'FileNotFoundError None None'])
  })

  it('sends several fields beside photos, JSON without one, and returns a picture as bytes', async () => {
    const code = `
client.verify_person(b"x", 7, threshold="strict")
client.cameras.lease("c", watcher="hall")
client.cameras.lease("c", b"x", watcher="hall")
client.faces.put_footage(7, "clip", b"x")
print(client.cameras.picture("c"))`
    const picture = { headers: { 'content-type': 'image/jpeg' }, body: 'JPEG' }
    const { lines, asked } = await run(code, {}, {}, {}, {}, picture)
    expect(lines).toEqual(["b'JPEG'"])
    expectUploads(asked)
  })

  it('raises errors that another process can be sent', async () => {
    const code = `
import pickle
error = failure(lambda: client.faces.get(1))
print(error, pickle.loads(pickle.dumps(error)).request_id)`
    const { lines } = await run(code, refusal(404, 'NOT_FOUND'))
    expect(lines.slice(1)).toEqual(['404 NOT_FOUND: It is NOT_FOUND. (request r1) r1'])
  })

  it('refuses names that would address another path', async () => {
    const code = `
for name in ("", ".", ".."):
    failure(lambda: client.faces.delete_with_meta("Ann", gallery=name))
    failure(lambda: client.galleries.delete(name))
    failure(lambda: client.cameras.delete(name))`
    const { lines, asked } = await run(code, {})
    expect([lines, asked]).toEqual([new Array(9).fill('ValueError None None'), []])
  })
})
