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
  it('has each operation', async () => {
    const program = await readFile(join(import.meta.dirname, 'every_verb.py'), 'utf8')
    const { output, errors } = await run(program, 'Python client')
    expect(errors).toBe('')
    const same = { x1: 1467, y1: 227, x2: 1675, y2: 428 }
    expect(JSON.parse(output)).toEqual({
      detected: 3,
      fetched: 3,
      verified: [true, true],
      created: { name: 'staff', retention_days: 30 },
      exists: 'GALLERY_EXISTS',
      changed: 7,
      gallery: 'staff',
      galleries: ['default', 'staff'],
      enrolled: ['Ann/1', ['default', 'staff'], 'sample3.jpg', true],
      identified: [same, same],
      counts: [
        ['default', 1, 1],
        ['staff', 1, 1],
      ],
      listed: [['Bob', 'Ann/1'], ['Ann/1'], ['Ann/1'], ['Ann/1'], [], ['Bob']],
      metas: [['Ann/1', 1]],
      updated: ['Rob', ['default', 'staff']],
      missing: ['NOT_FOUND', 'NOT_FOUND'],
      camera: [[640, 480, 0, 0], null],
      leased: [
        ...[{ picture_wanted: false }, 'NOT_FOUND', { picture_wanted: true }, true],
        ...['hall', 'CAMERA_TAKEN', false],
      ],
      cameras: [false],
      alerts: [[7], null, true, ['door'], true, 'BAD_PARAM'],
      events: [2, 1, 0],
      person: [77, 1],
      suggested: [[78, 77]],
      renamed: { id: 77, meta: 'Ann' },
      summaries: [[77, 1]],
      merged: [2, true],
      split: true,
      history: [true],
      left: [[true], []],
      token: ['operator', 'admin', 'Python client'],
      tokens: { '': true, operator: true, door: false },
      audit: ['token.revoke', 'token.rotate', 'token.create'],
      settings: true,
      grouping: [true, 0],
      shards: { live: 1, total: 1, available: [true] },
      rejected: [400, 'TOO_MANY_FACES', true, true],
    })
  })

  it('has a README whose samples print what they promise', async () => {
    const code = (await blocksOf('clients/python/README.md', 'python')).join('\n')
    const { output, errors } = await run(code, 'Python samples')
    expect(errors).toBe('')
    expect(linesOf(output)).toEqual(promisedOutput(code))
  })
})
