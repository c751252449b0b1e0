/** The types of the Python client: their fields are those of the OpenAPI document, and a type checker finds mistakes. */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '#contract/operations/table.ts'
import { documentOf } from '#edge/openapi/document.ts'
import { pythonMissing, runPython } from '#test/python.ts'
import { temporaryFolder } from '../../core/folder.ts'

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

const { paths, components } = JSON.parse(JSON.stringify(documentOf('v1', OPERATIONS)))

const operation = (path: string, method: string) => paths[`/v1${path}`]?.[method] ?? paths[path][method]
const form = (path: string, method = 'post'): Schema =>
  operation(path, method).requestBody.content['multipart/form-data'].schema
const json = (path: string, method: string): Schema =>
  operation(path, method).requestBody.content['application/json'].schema
const answer = (path: string): Schema =>
  operation(path, 'post').responses[200].content['application/json'].schema
const query = (path: string): Schema => ({
  properties: Object.fromEntries(
    operation(path, 'get')
      .parameters.filter((one: { in?: string }) => one.in === 'query')
      .map(({ name }: { name: string }) => [name, {}]),
  ),
})

/** Parameters that are arguments of their own, or another spelling of `bbox`. */
const ELSEWHERE = 'photo photo1 photo2 gallery x1 y1 x2 y2 limit max_id min_id'.split(' ')

/** The keys of an object in alphabetical order; optional ones end in "?". */
const keysOf = ({ properties = {}, required = [] }: Schema, without: readonly string[] = []): string[] =>
  Object.keys(properties)
    .filter(name => !without.includes(name))
    .map(name => (required.includes(name) ? name : `${name}?`))
    .sort()

const parameters = (schema: Schema) => keysOf(schema, ELSEWHERE)

const EXPECTED: Record<string, string[]> = {
  DetectParameters: parameters(form('/detect')),
  VerifyParameters: parameters(form('/verify')),
  IdentifyParameters: parameters(form('/identify')),
  EnrolParameters: parameters(form('/face')),
  FaceChange: parameters(json('/face/id/{id}', 'put')),
  GalleryChanges: keysOf(json('/face/id/{id}', 'put').properties!.galleries!),
  CameraParameters: parameters(json('/camera', 'post')),
  TokenParameters: parameters(json('/tokens', 'post')),
  CameraChange: parameters(json('/camera/{id}', 'put')),
  CameraOptions: keysOf(json('/camera', 'post').properties!.options!),
  CameraReport: keysOf(form('/camera/{id}/lease', 'put'), ['picture']),
  AlertParameters: keysOf(json('/alerts', 'post')),
  DeliveryFilter: keysOf(query('/alert/id/{id}/deliveries')),
  PersonHistoryFilter: parameters(query('/person/history/id/{id}')),
  HistoryFilter: keysOf(query('/history/search'), ['limit', 'max_id']),
  SuggestionFilter: keysOf(query('/persons/suggestions')),
  FacesFilter: parameters(query('/faces')),
  EventFilter: keysOf(query('/events'), ['last_event_id', 'alerts']),
  DetectAnswer: keysOf(answer('/detect')),
  DetectedFace: keysOf(answer('/detect').properties!.faces!.items!),
  VerifyAnswer: keysOf(answer('/verify')),
  Pair: keysOf(answer('/verify').properties!.results!.items!),
  IdentifyAnswer: keysOf(answer('/identify')),
  BackupTimes: keysOf(components.schemas.ServiceState.properties.backup),
  ...Object.fromEntries(
    [
      ...['Alert', 'AlertData', 'AlertMessage', 'AlertPerson', 'AuditEntry', 'AuditVerification', 'Box'],
      ...['Camera', 'CameraState', 'CreatedToken', 'CurrentToken', 'Delivery', 'Face'],
      ...['Gallery', 'GalleryStatistics', 'HistoryEvent', 'LatestFace', 'Match', 'MetaEntry', 'Person'],
      ...['PersonHistoryEntry', 'PersonSuggestion', 'PersonSummary', 'Quality', 'RotatedToken'],
      ...['ServiceState', 'SuggestedPerson', 'Token'],
    ].map(name => [name, keysOf(components.schemas[name])]),
  ),
}

const PRINT = `
import json, mien.answers, mien.parameters
print(json.dumps({
    name: sorted([*kind.__required_keys__, *(f"{key}?" for key in kind.__optional_keys__)])
    for module in (mien.answers, mien.parameters)
    for name, kind in vars(module).items()
    if hasattr(kind, "__required_keys__")
}))`

const mypyMissing = pythonMissing ?? (spawnSync('mypy', ['--version']).error ? 'mypy is missing' : undefined)

describe.skipIf(pythonMissing)('the types of the Python client', { tags: ['long', 'python'] }, () => {
  it('have the fields of the OpenAPI document, optional where these are', async () => {
    const { output, errors } = await runPython(PRINT, {})
    expect(errors).toBe('')
    expect(JSON.parse(output)).toMatchObject(EXPECTED)
  })
})

/** Messages of the type checker on a program. */
async function checked(program: string): Promise<string[]> {
  const file = join(await temporaryFolder(), 'program.py')
  await writeFile(file, `import mien\nclient = mien.Client("http://127.0.0.1:1", "mien_x")\n${program}\n`)
  const { stdout } = spawnSync(
    'mypy',
    ['--ignore-missing-imports', '--enable-incomplete-feature=Unpack', '--no-error-summary', file],
    {
      env: { ...process.env, MYPYPATH: join(import.meta.dirname, '../../../../clients/python') },
      cwd: join(file, '..'),
      encoding: 'utf8',
    },
  )
  return stdout.split('\n').filter(line => line.startsWith('program.py') && line.includes(' error: '))
}

describe.skipIf(mypyMissing)('a type checker on the Python client', { tags: ['long', 'mypy'] }, () => {
  it('reports nothing but unknown parameters, values of another type, and unknown fields of answers', {
    timeout: 120_000,
  }, async () => {
    const program = `
for face in client.faces.enrol("a.jpg", meta="ann", galleries=["staff"], min_quality=0.5):
    print(face["id"] + 1, face["galleries"][0].upper())
for matches in client.identify(b"", gallery="staff", threshold="strict", n=3)["results"].values():
    print([match["face"]["meta"] for match in matches])
client.faces.update(7, galleries={"del": ["staff"]})
client.detect("a.jpg", qualty=True)
client.identify("a.jpg", n="three")
print(client.detect("a.jpg")["face"])`
    expect(await checked(program)).toMatchObject(
      [/qualty/, /"int"/, /"face"/].map(text => expect.stringMatching(text)),
    )
  })
})
