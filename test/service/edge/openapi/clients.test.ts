/** Clients from openapi-typescript and @hey-api/openapi-ts: they compile, upload photos and type answers. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { SAMPLES } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { VERSIONS } from '#contract/operations/operation.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { documentOf } from '#edge/openapi/document.ts'
import { compile, generateClients, prepareProject, runProgram } from './generated-clients.ts'

const PHOTO = join(SAMPLES, 'sample1.jpg')
const PROGRAMS = ['openapi-fetch.ts', 'hey-api.ts']

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mien-clients-'))
  await prepareProject(folder)
  for (const version of VERSIONS) {
    const programs = version === 'v1' ? [...PROGRAMS, 'attributes.ts'] : PROGRAMS
    await generateClients(join(folder, version), documentOf(version, OPERATIONS), programs)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (version: string, program: string, owner: string): unknown =>
  runProgram(folder, join(version, program), [
    `${inject('edge')}/${version}`,
    newToken(inject('data'), owner),
    PHOTO,
  ])

describe('generated clients', { tags: 'long' }, () => {
  it('pass the compiler together with programs that use them', () => {
    expect(compile(folder)).toBe('')
  })

  it.each(VERSIONS.flatMap(version => PROGRAMS.map(program => ({ version, program }))))(
    'of $version upload photos and read answers: $program',
    ({ version, program }) => {
      const told = run(version, program.replace('.ts', '.js'), `${version} ${program}`)
      expect(told).toEqual({
        faces: 3,
        scored: true,
        enrolled: [['Ann', ['default', 'staff']]],
        repeated: true,
        matches: [[true, 'Ann']],
        inGallery: ['Ann'],
        liveServers: expect.stringMatching(/^(\d+)\/\1$/),
        verified: [true, 1],
        page: 1,
        changed: ['Anna', ['default']],
        several: 3,
        deleted: 204,
        missing: [404, 'NOT_FOUND', true],
      })
    },
  )

  it('of v1 request age, gender and emotions', () => {
    const refused = {
      years: 'undefined',
      error: expect.objectContaining({ code: 'BAD_PARAM', param: 'age' }),
    }
    expect(run('v1', 'attributes.js', 'attributes')).toEqual([refused, refused])
  })
})
