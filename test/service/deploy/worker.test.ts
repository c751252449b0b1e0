import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BUNDLE } from '#commands/build/bundle.ts'

/** The compressed size that Cloudflare accepts on a paid plan; a free plan accepts 3 MB. */
const PAID_BYTES = 10 * 2 ** 20

describe('the bundle of the edge', () => {
  it('uses at most 80 % of the size limit of a paid plan', async () => {
    const modules = (await readdir(BUNDLE)).filter(
      name => !['.map', '.md', '.sha256'].includes(extname(name)),
    )
    const files = await Promise.all(modules.map(name => readFile(join(BUNDLE, name))))
    const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0)
    expect(bytes).toBeGreaterThan(2 ** 20)
    expect(bytes).toBeLessThan(0.8 * PAID_BYTES)
  })
})
