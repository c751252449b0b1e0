import { spawnSync } from 'node:child_process'
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
