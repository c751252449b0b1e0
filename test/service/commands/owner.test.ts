/** `mien owner` and `mien audit` on a stopped service. */
import { join } from 'node:path'
import Libsql from 'libsql'
import { FACE, OTHER_OWNER, OWNER } from '#test/support/sample-faces.ts'
import { runMien } from '#test/support/typed.ts'
import { enrolOne, openWorld } from '../core/operations/world.ts'

const run = (...args: string[]) => runMien([...args, '--data', data])

let data = ''
let face = 0

/** Enrols one face for each of the owners `first` and `second`. */
beforeEach(async () => {
  const world = await openWorld()
  data = world.data
  face = await enrolOne(world, FACE)
  await enrolOne(world, FACE, { owner: OTHER_OWNER })
  await world.close()
})

it('mien owner delete deletes one owner after --yes and keeps the others', { tags: 'long' }, () => {
  expect(run('owner', 'list').said).toMatch(/ 1 .* first\n[\s\S]* 1 .* second\n/)
  expect(run('owner', 'delete', 'first')).toExit(1, '"first" has 1 face and')
  expect(run('owner', 'delete', 'unknown', '--yes')).toExit(1)
  expect(run('owner', 'delete')).toExit(2, "Missing required argument 'NAME'")
  expect(run('owner', 'delete', 'first', '--yes')).toExit(0, 'deleted')
  const { said } = run('owner', 'list')
  expect(said).not.toContain('first')
  expect(said).toContain('second')
  expect(run('store', 'verify')).toExit(0)
})

it('mien audit lists, verifies and shortens the log, also against an external head', {
  tags: 'long',
}, () => {
  run('owner', 'delete', 'first', '--yes')
  const entries = run('audit', 'list')
    .stdout.trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(entries).toMatchObject([
    { seq: 1, actor: expect.stringMatching(/^operator ./), action: 'owner.delete' },
    {
      seq: 2,
      actor: 'service',
      owner: OWNER,
      action: 'faces.delete',
      subject: { because: 'owner.delete', faces: [face] },
    },
    { seq: 3, actor: 'service', owner: OWNER, action: 'owner.gone' },
  ])
  expect(run('audit', 'list', '--face', String(face)).stdout.trim().split('\n')).toHaveLength(1)
  for (const wrong of [
    ['--face', 'abc'],
    ['--owner', 'ann'],
  ])
    expect(run('audit', 'list', ...wrong)).toMatchObject({ status: 2, stdout: '' })
  const head = run('audit', 'head').stdout.trim()
  expect(head).toMatch(/^3:[0-9a-f]{64}$/)
  run('token', 'create', '--owner', 'third', '--new-owner')
  expect(run('audit', 'verify', '--from', head)).toExit(0, 'All 4 entries')
  expect(run('audit', 'verify', '--from', 'nonsense')).toExit(2)
  expect(run('audit', 'prune', '--before', '2999-01-01').said).toContain('up to 4 are gone')
  expect(run('audit', 'verify')).toExit(0, '1 entry is as it was written')
  const file = new Libsql(join(data, 'metadata.db'))
  file.exec("DROP TRIGGER audit_never_changes; UPDATE audit SET actor = 'unknown'")
  file.close()
  expect(run('audit', 'verify')).toExit(1, 'entry 5 is not as it was written')
})
