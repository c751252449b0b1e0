import { writeFileSync } from 'node:fs'
import { brokerOf } from '#commands/cameras/broker-options.ts'
import { temporaryPath } from '../../core/folder.ts'

describe('the options of a broker', () => {
  it.each([
    ['mqtt://10.0.0.1', 'mqtt://10.0.0.1'],
    ['mqtts://broker.lan:8884/', 'mqtts://broker.lan:8884'],
    ['mqtt://[::1]:1883', 'mqtt://[::1]:1883'],
  ])('take the URL %s', async (url, taken) => {
    expect(await brokerOf('--broker', url, {}, {})).toEqual({ url: taken })
  })

  it.each([undefined, 'broker.lan', 'mqtt://', 'mqtt://a/b', 'mqtt://a?x=1', 'ws://a'])(
    'refuse the URL %s',
    async url => {
      await expect(brokerOf('--broker', url, {}, {})).rejects.toThrow('--broker: expected mqtt://HOST')
    },
  )

  it('refuse a password in the URL, and do not repeat it', async () => {
    const refusal = await brokerOf('--broker', 'mqtt://ann:secret@a', {}, {}).catch(error => error.message)
    expect(refusal).toContain('must have no user and password')
    expect(refusal).not.toContain('secret')
  })

  it('read user and password from a file', async () => {
    const file = await temporaryPath('login')
    writeFileSync(file, 'ann\nse cret\n')
    const login = { user: 'ann', password: 'se cret' }
    expect(await brokerOf('--broker', 'mqtt://a', { brokerLogin: file }, {})).toMatchObject(login)
    writeFileSync(file, 'ann\n')
    await expect(brokerOf('--broker', 'mqtt://a', { brokerLogin: file }, {})).rejects.toThrow('two lines')
    await expect(brokerOf('--broker', 'mqtt://a', { brokerLogin: `${file}x` }, {})).rejects.toThrow(
      'cannot be read',
    )
  })
})
