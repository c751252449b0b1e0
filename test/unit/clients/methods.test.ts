/** Generated modules of both clients, and the requests of their methods. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MienClient, Pages } from '#clients/typescript/src/index.ts'
import { generatedFiles } from '#commands/development/openapi.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { pythonMissing, runPython } from '#test/support/python.ts'
import { ROOT } from '#test/support/root.ts'
import { type Asked, scriptedServer, TOKEN } from './scripted-server.ts'

it.each(Object.entries(generatedFiles()))('%s is as `npm run openapi` writes it', async (path, text) => {
  expect(await readFile(join(ROOT, path), 'utf8')).toBe(text)
})

/** A call of each operation, with the number 7 for the arguments that its path and its declaration name. */
const CALLS = OPERATIONS.filter(({ client }) => client !== undefined).map(operation => {
  const [, resource, name, inBody = ''] = /^(?:(\w+)\.)?(\w+)(?:\((.*)\))?$/.exec(operation.client!)!
  const isShared = OPERATIONS.some(other => other !== operation && other.client === operation.client)
  const inGallery = isShared && operation.path.includes(':gallery')
  const inPath = [...operation.path.matchAll(/:(\w+)/g)].filter(
    ([, name]) => !inGallery || name !== 'gallery',
  )
  const fields = inBody === '' ? [] : inBody.split(', ')
  const body = Object.fromEntries(fields.map(field => [field, field.endsWith('_ids') ? [7] : 7]))
  return {
    resource,
    name: name!,
    inGallery,
    body,
    args: [...inPath.map(() => 7), ...Object.values(body)],
    hasPhoto: resource === undefined || name === 'putRecording',
    method: operation.method.toUpperCase(),
    paths: [operation.path, ...(operation.aliases ?? [])].map(path => `/v1${path.replaceAll(/:\w+/g, '7')}`),
  }
})

/** The call of a Python method. */
const pythonCall = ({ resource, name, args, inGallery, hasPhoto }: (typeof CALLS)[number]) => {
  const given = [
    ...args.map(value => JSON.stringify(value)),
    ...(hasPhoto ? ['b"x"'] : []),
    ...(inGallery ? ['gallery="7"'] : []),
  ]
  const method = name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return `client.${resource === undefined ? '' : `${resource}.`}${method}(${given.join(', ')})`
}

function expectRequests(requests: readonly Asked[]) {
  expect(requests).toHaveLength(CALLS.length)
  for (const [i, { name, method, paths, body }] of CALLS.entries()) {
    const asked = requests[i]!
    expect(asked.method, name).toBe(method)
    expect(paths, name).toContain(asked.path.split('?')[0])
    if (Object.keys(body).length > 0) expect(JSON.parse(asked.body)).toEqual(body)
  }
}

describe('a generated method', () => {
  it('of the TypeScript client sends the request of its declaration', async () => {
    await using server = await scriptedServer({ body: { results: [] } })
    for (const { resource, name, args, inGallery, hasPhoto } of CALLS) {
      const methods = resource === undefined ? server.client : server.client[resource as keyof MienClient]
      const photos = hasPhoto ? [new Uint8Array([1])] : []
      const call = (
        methods as unknown as Record<string, (...args: unknown[]) => Promise<unknown> | Pages<unknown>>
      )[name]!
      const called = call.call(methods, ...args, ...photos, inGallery ? { gallery: '7' } : {})
      await (called instanceof Pages ? called.toArray() : called)
    }
    expectRequests(server.asked)
  })

  it.skipIf(pythonMissing)(
    'of the Python client sends the request of its declaration',
    { tags: ['long', 'python'] },
    async () => {
      await using server = await scriptedServer({ body: { results: [] } })
      const calls = CALLS.map(call => `list(${pythonCall(call)} or [])`)
      const code = ['import mien', `client = mien.Client("${server.url}", "${TOKEN}")`, ...calls].join('\n')
      expect((await runPython(code, {})).errors).toBe('')
      expectRequests(server.asked)
    },
  )
})
