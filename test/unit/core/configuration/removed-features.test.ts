/** Variables and a file of features that were removed. test/service/core/server.test.ts starts core with them. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { refuseTraces, removeSite, SITE_FILE } from '#core/configuration/removed-features.ts'
import { temporaryFolder } from '../folder.ts'

it('refuseTraces names the variables of traces that are set, and no other of OpenTelemetry', () => {
  const names = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER']
  const set = Object.fromEntries(names.map(name => [name, 'a value']))
  expect(() => refuseTraces(set)).toThrow(`${names.join(', ')}: core exports no traces any more. Unset it`)
  expect(() => refuseTraces(set)).not.toThrow('a value')
  expect(() => refuseTraces({ OTEL_SERVICE_NAME: 'mien', OTEL_TRACES_EXPORTER: '' })).not.toThrow()
})

it('removeSite announces the calibration of a site once, and removes it', async () => {
  const data = await temporaryFolder()
  writeFileSync(join(data, SITE_FILE), '{"format":"mien-calibration","version":2,"cohort":"AAAA"}')
  const announce = vi.fn()
  for (let start = 0; start < 2; start++) await removeSite(data, announce)
  expect(announce).toHaveBeenCalledOnce()
  expect(existsSync(join(data, SITE_FILE))).toBe(false)
})
