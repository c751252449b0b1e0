/** URLs with credentials as others see them, and their way back. */
import * as fc from 'fast-check'
import { errorAnswer, wrongValue } from '#contract/errors.ts'
import { isMasked, maskedUrl, unmaskedUrl } from '#contract/url-credentials.ts'

describe('a URL', () => {
  it.each([
    ['rtsp://admin:secret@192.0.2.7:554/stream', 'rtsp://***@192.0.2.7:554/stream'],
    ['rtsp://admin:pa#ss@host/a', 'rtsp://***@host/a'],
    [
      'http://h/cgi?channel=1&user=ann&Password=a/b?c&x=1',
      'http://h/cgi?channel=1&user=***&Password=***&x=1',
    ],
    ['http://h/cgi?loginuse=ann&loginpas=x', 'http://h/cgi?loginuse=***&loginpas=***'],
    ['rtsp://h/user=ann_password=x_channel=1', 'rtsp://h/user=***'],
    ['rtsp://h/channel=1_password=x&a=b', 'rtsp://h/channel=1_password=***&a=b'],
  ])('is shown without credentials: %s', (url, shown) => {
    expect(maskedUrl(url)).toBe(shown)
    expect(isMasked(url)).toBe(false)
    expect(isMasked(shown)).toBe(true)
    expect(unmaskedUrl(shown, url)).toBe(url)
  })

  it.each(['http://host/a@b', '/dev/video0', 'frigate://door', 'http://h/?channel=1', 'a*b.mp4', ''])(
    'without credentials is shown as it is: %s',
    url => expect(maskedUrl(url)).toBe(url),
  )

  it('takes the stored credentials to another path of the same host only', () => {
    const stored = 'rtsp://ann:secret@host:554/1?token=t'
    expect(unmaskedUrl('rtsp://***@host:554/2?token=***&a=1', stored)).toBe(
      'rtsp://ann:secret@host:554/2?token=t&a=1',
    )
    expect(unmaskedUrl('rtsp://bob:new@HOST:554/2?token=***', stored)).toBe(
      'rtsp://bob:new@HOST:554/2?token=t',
    )
    for (const other of [
      'rtsp://***@other:554/1?token=***',
      'rtsp://***@host:555/1?token=***',
      'rtsp://***@host/1?token=***',
      'http://***@host:554/1?token=***',
      'rtsp://***@host:554@other/1?token=***',
      'rtsp://***@host:554/1?password=***',
    ])
      expect(unmaskedUrl(other, stored)).toBeUndefined()
    expect(unmaskedUrl('rtsp://***@host/1', 'rtsp://host/1')).toBeUndefined()
  })

  it('never shows a generated user, password or token', () => {
    const word = fc.stringMatching(/^Q[A-Za-z0-9%@:._~-]{3,20}Q$/)
    const name = fc.constantFrom('password', 'pwd', 'token', 'API_KEY', 'user', 'auth', 'loginpas')
    fc.assert(
      fc.property(word, word, name, (user, password, parameter) => {
        const url = `rtsp://${user}:${password}@10.0.0.9:554/1?channel=1&${parameter}=${password}`
        expect(maskedUrl(url)).toBe(`rtsp://***@10.0.0.9:554/1?channel=1&${parameter}=***`)
        expect(unmaskedUrl(maskedUrl(url), url)).toBe(url)
      }),
      { numRuns: 200 },
    )
  })

  it('is in no error with its credentials', () => {
    const long = `rtsp://ann:${'secret'.repeat(900)}@host/`
    for (const url of [long, 'rtsp://ann:secret@host/'])
      for (const value of [url, [url], { url }])
        expect(JSON.stringify(errorAnswer(wrongValue('url', value, 'another')))).not.toContain('secret')
  })
})
