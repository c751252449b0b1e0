/** Lists that commands print as JSON for programs, with the documented fields. */
import { openSecrets } from '#core/configuration/secrets.ts'
import { embedderLabel } from '#core/embedding/label.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { FACE, OWNER } from '#test/support/sample-faces.ts'
import { runMien } from '#test/support/typed.ts'
import { enrolOne, openWorld } from '../core/operations/world.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/
const time = expect.stringMatching(TIME)

let data = ''
beforeEach(async () => {
  const world = await openWorld(undefined, undefined, { embedder: embedderLabel(STANDARD_PACK) })
  data = world.data
  await enrolOne(world, FACE)
  await world.close()
  await openSecrets(data)
  const owner = ['--owner', 'ann', '--new-owner']
  runMien(['token', 'create', ...owner, '--name', 'front door', '--rate', '2.5', '--data', data])
})

/** The JSON document on standard output. */
function json(...args: string[]): unknown {
  const { status, stdout, stderr } = runMien([...args, '--json', '--data', data])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

describe('the option --json', { tags: 'long' }, () => {
  it('prints tokens with the documented fields', () => {
    expect(json('token', 'list')).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{12}$/),
        owner: 'ann',
        name: 'front door',
        scope: 'admin',
        rate: 2.5,
        created: time,
        last_used: null,
        expires: null,
        revoked: null,
      },
    ])
  })

  it('prints owners', () => {
    const owners = json('owner', 'list') as { name: string }[]
    expect(owners.find(({ name }) => name === 'ann')).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'ann',
      faces: 0,
      tokens: 1,
      created: time,
      state: 'active',
    })
    expect(owners).toContainEqual(expect.objectContaining({ id: OWNER, faces: 1 }))
  })

  it('prints keys by id, galleries and packs', () => {
    const key = { id: expect.any(String), state: 'signing', made: time }
    expect(json('secrets', 'list')).toEqual([
      { key: 'edge', ...key },
      { key: 'links', ...key },
    ])
    const counts = { linear: 1, preindex: 0, indexed: 0, deleted: 0, index_file: null }
    expect(json('store', 'stat')).toEqual([{ gallery: `${OWNER}_default`, ...counts }])
    expect(json('models', 'list')).toContainEqual({
      pack: 'standard',
      chosen: true,
      files: expect.any(Number),
      files_verified: expect.any(Number),
      calibrated: true,
      embedder: expect.any(String),
      licences: ['MIT'],
    })
  })

  it('gives the audit log as one array, also when nothing is in it', () => {
    expect(json('audit', 'list')).toMatchObject([{ seq: 1, action: 'token.create', time }])
    expect(json('audit', 'list', '--since', '2999-01-01')).toEqual([])
    const lines = runMien(['audit', 'list', '--data', data]).stdout.trim().split('\n')
    expect(lines.map(line => JSON.parse(line))).toEqual(json('audit', 'list'))
  })
})
