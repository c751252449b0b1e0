/** A type checker finds no mistake in the Python client, and finds mistakes of programs that use it. */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pythonMissing } from '#test/support/python.ts'
import { temporaryPath } from '../../core/folder.ts'

const mypyMissing = pythonMissing ?? (spawnSync('mypy', ['--version']).error ? 'mypy is missing' : undefined)

/** Errors of the type checker in a program and the client. */
async function checked(program: string) {
  const file = await temporaryPath('program.py')
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
  // Types of the package requests may be missing.
  return stdout.split('\n').filter(line => line.includes(' error: ') && !line.endsWith('[import]'))
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
