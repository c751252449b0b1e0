/** Bytes and requests of the first page. */
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { chromiumPath, startChromium } from '#bench/harness/chromium.ts'
import { visit } from './visitor.ts'

/** Most bytes of JavaScript, compressed. */
const SCRIPT_BYTES = 150 * 1024

/** Most bytes of everything, compressed. */
const ALL_BYTES = 170 * 1024

describe.skipIf(chromiumPath === undefined)(
  'the first page of the console',
  { tags: ['long', 'chromium'] },
  () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await startChromium()
    })
    afterAll(() => browser?.close())

    it('is small, and loads three files of its own origin', async () => {
      const { page, trouble } = await visit(browser)
      const answers = new Map<string, Promise<Buffer>>()
      page.on('response', response => {
        const { protocol, pathname } = new URL(response.url())
        if (protocol !== 'data:') answers.set(pathname, response.body())
      })
      await page.reload()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.waitForLoadState('networkidle')
      expect([...answers.keys()].map(path => path.replace(/-\w+\./, '-HASH.')).sort()).toEqual([
        '/',
        '/console/main-HASH.css',
        '/console/main-HASH.js',
      ])
      const sizes = await Promise.all(
        [...answers].map(async ([path, body]) => ({ path, bytes: gzipSync(await body).length })),
      )
      const script = sizes.find(({ path }) => path.endsWith('.js'))!.bytes
      expect(script).toBeGreaterThan(5_000)
      expect(script).toBeLessThanOrEqual(SCRIPT_BYTES)
      expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(ALL_BYTES)
      expect(trouble).toEqual([])
      expect(new URL(page.url()).origin).toBe(inject('edge'))
    })
  },
)
