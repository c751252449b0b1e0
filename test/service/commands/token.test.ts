import { durationMs, endOf } from '#commands/terminal/times.ts'
import { listTokens, tokenIsValid } from '#core/metadata/access/issue-tokens.ts'
import { runMien } from '#test/support/typed.ts'
import { temporaryFolder } from '../../unit/core/folder.ts'

const tokenCommand = (data: string, ...args: string[]) => runMien(['token', ...args, '--data', data])

describe('mien token', () => {
  it('creates, rotates and revokes a token, and prints each token once', { tags: 'long' }, async () => {
    const data = await temporaryFolder()
    const made = tokenCommand(
      data,
      'create',
      '--new',
      '--owner',
      'ann',
      '--scope',
      'camera',
      '--expires',
      '90d',
      '--rate',
      '2.5',
    )
    expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^mien_\w{46}\n$/) })
    const [first] = await listTokens(data)
    expect(first).toMatchObject({ owner: 'ann', scope: 'camera', rate: 2.5 })
    expect(first!.expires! - first!.created).toBeCloseTo(90 * 86_400e6, -9)

    const replaced = tokenCommand(data, 'rotate', first!.id, '--grace', '1h')
    expect(replaced).toMatchObject({ status: 0, stdout: expect.stringMatching(/^mien_\w{46}\n$/) })
    const [old, fresh] = await listTokens(data)
    expect(old!.revoked! - fresh!.created).toBe(3_600e6)
    expect(replaced.stderr).toMatch(new RegExp(`The new token ${fresh!.id} ends on \\d{4}-`))
    expect(replaced.stderr).toMatch(new RegExp(`The old token ${first!.id} ends on \\d{4}-`))
    for (const { stdout } of [made, replaced])
      expect(await tokenIsValid({ data, token: stdout.trim() })).toBe(true)

    expect(tokenCommand(data, 'revoke', fresh!.id).status).toBe(0)
    expect(await tokenIsValid({ data, token: replaced.stdout.trim() })).toBe(false)
    const listed = tokenCommand(data, 'list').stdout
    expect(listed).toContain(fresh!.id)
    expect(listed).not.toContain('mien_')
  })

  it.each(['0', '1e-300'])(
    'creates no token with a rate of %s, and prints the cause and the usage',
    async rate => {
      const data = await temporaryFolder()
      const { status, stderr } = tokenCommand(data, 'create', '--owner', 'a', '--rate', rate)
      expect(status).toBe(2)
      expect(stderr.split('\n\n')[0]).toContain('--rate')
      expect(stderr).toContain('mien token')
      expect(await listTokens(data)).toEqual([])
    },
  )

  it.each(['', 'ann\nbob'])('creates no owner with the name %j', async owner => {
    const data = await temporaryFolder()
    const { status, stderr } = tokenCommand(data, 'create', '--new', '--owner', owner)
    expect([status, stderr]).toEqual([2, expect.stringContaining('--owner takes a name')])
    expect(await listTokens(data)).toEqual([])
  })

  it('keeps an old token valid for at most 30 days', () => {
    const { status, stderr } = tokenCommand('/nowhere', 'rotate', '0123456789ab', '--grace', '31d')
    expect([status, stderr]).toEqual([2, expect.stringContaining('--grace takes at most 720h, not "31d".')])
  })

  it('creates a token for the only owner, and asks for one of several', { tags: 'long' }, async () => {
    const data = await temporaryFolder()
    tokenCommand(data, 'create', '--new', '--owner', 'ann')
    const made = tokenCommand(data, 'create', '--name', 'door', '--scope', 'camera')
    expect(made).toMatchObject({ status: 0, stderr: expect.stringContaining('the owner "ann"') })
    expect((await listTokens(data)).map(({ owner, name }) => [owner, name])).toEqual([
      ['ann', ''],
      ['ann', 'door'],
    ])
    const another = tokenCommand(data, 'create', '--owner', 'bob')
    expect(another).toMatchObject({ status: 2, stdout: '' })
    expect(another.stderr).toContain('There is no owner "bob". The data folder has the owner "ann".')
    expect(tokenCommand(data, 'create', '--owner', 'bob', '--new-owner')).toExit(0)
    const refused = tokenCommand(data, 'create', '--name', 'door')
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toContain('2 owners: "ann", "bob". Name one with --owner.')
  })
})

describe('times on the command line', () => {
  const NOW = Date.UTC(2026, 10, 20)

  it.each([
    ['30s', 30_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['90d', 7_776_000_000],
    ['0s', 0],
  ])('durationMs reads %s', (text, ms) => {
    expect(durationMs(text, '--grace')).toBe(ms)
  })

  it.each([
    ['90d', NOW + 90 * 86_400_000],
    ['2027-01-31', Date.UTC(2027, 0, 31)],
    ['2027-01-31T12:00+02:00', Date.UTC(2027, 0, 31, 10)],
  ])('endOf reads %s', (text, ms) => {
    expect(endOf(text, NOW)).toBe(ms * 1000)
  })

  it.each(['', '24', 'h', '-1h', '1.5h', '100000d', '24 hours'])('durationMs refuses "%s"', text => {
    expect(() => durationMs(text, '--grace')).toThrow('--grace')
  })

  it.each(['', '0s', '2026-11-20', '2026-02-30', 'never', '36501d', '9999-12-31'])(
    'endOf refuses "%s"',
    text => {
      expect(() => endOf(text, NOW)).toThrow('--expires')
    },
  )
})
