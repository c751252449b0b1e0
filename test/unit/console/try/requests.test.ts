import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { codeOf } from '#console/try/requests.ts'

const URL = 'http://127.0.0.1:8787'

const NAMES = [
  'photo.jpg',
  `it's.jpg`,
  'a "b"; c,d.jpg',
  'back\\slash.jpg',
  '$HOME `id` $(id).jpg',
  'line\nend.jpg',
]

describe('the code of a request', () => {
  it('names one photo, and the variable of the token', () => {
    const call = { operation: 'detect', photos: ['a.jpg'], parameters: { quality: true } } as const
    expect(codeOf.curl(call, URL)).toBe(
      [
        'curl -H "Authorization: Token $MIEN_TOKEN" \\',
        `  -F 'photo=@"a.jpg"' \\`,
        `  -F 'quality=true' \\`,
        `  'http://127.0.0.1:8787/v1/detect'`,
        '',
      ].join('\n'),
    )
    expect(codeOf.typescript(call, URL)).toContain('await mien.detect("a.jpg", { quality: true })')
    expect(codeOf.typescript(call, URL)).toContain('token: process.env.MIEN_TOKEN!')
    expect(codeOf.python(call, URL)).toContain('client.detect("a.jpg", quality=True)')
    expect(codeOf.python(call, URL)).toContain('os.environ["MIEN_TOKEN"]')
  })

  it('names two photos', () => {
    const parameters = { mf_selector: 'all', n: 3 }
    const call = { operation: 'verify', photos: ['a.jpg', 'b.jpg'], parameters } as const
    expect(codeOf.curl(call, URL)).toContain(`-F 'photo1=@"a.jpg"' \\\n  -F 'photo2=@"b.jpg"'`)
    expect(codeOf.python(call, URL)).toContain('client.verify("a.jpg", "b.jpg", mf_selector="all", n=3)')
  })

  it.each(NAMES)('passes the file name %j through a shell unchanged', name => {
    const call = { operation: 'detect', photos: [name], parameters: {} } as const
    const script = `curl() { printf '%s' "$4"; }\n${codeOf.curl(call, URL)}`
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: { MIEN_TOKEN: 'secret' } })
    const quoted = /^photo=@"(.*)"$/s.exec(stdout)?.[1]
    expect(quoted?.replaceAll(/\\(["\\])/g, '$1')).toBe(name)
  })

  it.each(NAMES)('has the file name %j as a literal', name => {
    const call = { operation: 'detect', photos: [name], parameters: {} } as const
    const literal = /detect\((".*"), \{/.exec(codeOf.typescript(call, URL))?.[1]
    expect(JSON.parse(literal ?? '')).toBe(name)
  })
})
