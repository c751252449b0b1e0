import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { SAMPLES } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { pythonMissing, runPython } from '../../python.ts'
import { blocksOf, linesOf, promisedOutput } from './samples.ts'

/** Runs a program among the sample photos, as a new owner. */
const run = (code: string, owner: string) =>
  runPython(
    code,
    {
      MIEN_URL: inject('edge'),
      MIEN_TOKEN: newToken(inject('data'), owner),
      PHOTO_URL: `http://${inject('photoHost')}/sample3.jpg`,
    },
    SAMPLES,
  )

describe.skipIf(pythonMissing)('the Python client', { tags: ['long', 'python'] }, () => {
  it('sends files, leases a camera with a picture, and lists in pages and galleries', async () => {
    const program = await readFile(join(import.meta.dirname, 'uses.py'), 'utf8')
    const { output, errors } = await run(program, 'Python client')
    expect(errors).toBe('')
    expect(JSON.parse(output)).toEqual({
      fetched: 3,
      person: true,
      enrolled: ['Ann/1', ['default', 'staff'], 'sample3.jpg', true],
      listed: [['Bob', 'Ann/1'], ['Ann/1'], ['Ann/1'], ['Ann/1'], [], ['Bob']],
      missing: ['NOT_FOUND', 3],
      leased: [{ picture_wanted: false }, 'NOT_FOUND', { picture_wanted: true }, true, 'CAMERA_TAKEN'],
    })
  })

  it('has a README whose samples print what they promise', async () => {
    const code = (await blocksOf('clients/python/README.md', 'python')).join('\n')
    const { output, errors } = await run(code, 'Python samples')
    expect(errors).toBe('')
    expect(linesOf(output)).toEqual(promisedOutput(code))
  })
})
