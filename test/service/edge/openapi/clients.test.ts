/** Clients from openapi-typescript and @hey-api/openapi-ts: they compile, upload photos and type answers. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { SAMPLES } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { documentOf } from '#edge/openapi/document.ts'
import { compile, generateClients, prepareProject, runProgram } from './generated-clients.ts'

const PHOTO = join(SAMPLES, 'sample1.jpg')
const PROGRAMS = ['openapi-fetch.ts', 'hey-api.ts']

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mien-clients-'))
  await prepareProject(folder)
  await generateClients(join(folder, 'v1'), documentOf('v1', OPERATIONS), PROGRAMS)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (program: string): unknown =>
  runProgram(folder, join('v1', program.replace('.ts', '.js')), [
    `${inject('edge')}/v1`,
    newToken(inject('data'), `generated ${program}`),
    PHOTO,
  ])

describe('generated clients', { tags: 'long' }, () => {
  it('pass the compiler together with programs that use them', () => {
    expect(compile(folder)).toBe('')
  })

  it.each(PROGRAMS)('upload photos and read answers: %s', program => {
    const told = run(program)
    expect(told).toEqual({
      faces: 3,
      attributes: ['number', expect.stringMatching(/^(fe)?male$/), 2],
      scored: true,
      enrolled: [['Ann', ['default', 'staff']]],
      repeated: true,
      matches: [[true, 'Ann']],
      liveServers: expect.stringMatching(/^(\d+)\/\1$/),
      several: 3,
      deleted: 204,
      missing: [404, 'NOT_FOUND', true],
    })
  })
})
