/** The TypeScript client in workerd, where there is no Node. The console runs it in a browser. */

import { spawnSync } from 'node:child_process'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { COMPATIBILITY_DATE } from '#commands/build/bundle.ts'
import { sample } from '#test/support/client.ts'
import { ROOT } from '#test/support/root.ts'
import { newToken } from '#test/support/tokens.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'

/** Path of the executable. */
const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string }

const PROGRAM = 'test/service/clients/portable.ts'

const EXPECTED = {
  detected: 3,
  names: ['ann.jpg', 'ann.jpg', 'ann.jpg'],
  listed: 3,
  missing: 'NOT_FOUND',
  aborted: 'Enough.',
  path: 'A path of a file needs Node. Pass a Blob, a File, bytes or the URL of the photo.',
  unreachable: 'GET /face/id/1: no answer from the service.',
}

/** JavaScript of the program and the client, by path. */
async function modules() {
  const sources = [PROGRAM]
  for await (const file of glob('clients/typescript/src/**/*.ts', { cwd: ROOT })) sources.push(file)
  const code = async (file: string) => stripTypeScriptTypes(await readFile(join(ROOT, file), 'utf8'))
  return new Map(await Promise.all(sources.map(async file => [file, await code(file)] as const)))
}

const worker = `import { usePortably } from './${PROGRAM}'
    export default {
      async test(_, { url, token, photo }) {
        console.log('told ' + JSON.stringify(await usePortably(url, token, photo)))
      },
    }`

const configuration = (files: string[]) => `
    using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = (
          compatibilityDate = "${COMPATIBILITY_DATE}",
          modules = [${files.map(file => `(name = "${file}", esModule = embed "${file}")`).join(', ')}],
          bindings = [
            (name = "url", fromEnvironment = "MIEN_URL"),
            (name = "token", fromEnvironment = "MIEN_TOKEN"),
            (name = "photo", data = embed "photo.jpg"),
          ],
        )),
        (name = "internet", network = (allow = ["private", "local"])),
      ],
    );`

it('the TypeScript client in workerd detects, enrols, lists, deletes, and throws its errors', async () => {
  const folder = await temporaryFolder()
  const files = new Map([['worker.js', worker], ...(await modules())])
  for (const [file, code] of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), code)
  }
  await writeFile(join(folder, 'photo.jpg'), await sample(1))
  await writeFile(join(folder, 'worker.capnp'), configuration([...files.keys()]))
  const { stdout, stderr, signal } = spawnSync(workerd, ['test', join(folder, 'worker.capnp')], {
    encoding: 'utf8',
    timeout: 110_000,
    env: { MIEN_URL: inject('edge'), MIEN_TOKEN: newToken(inject('data'), 'Worker') },
  })
  expect(signal).toBeNull()
  const told = /told (\{.*\})/.exec(stdout + stderr)?.[1]
  expect(JSON.parse(told ?? JSON.stringify(stdout + stderr))).toEqual(EXPECTED)
})
