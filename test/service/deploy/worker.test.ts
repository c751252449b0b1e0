/** The worker as it is deployed to Cloudflare: its size, and its static assets. */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { inject } from 'vitest'
import { BUNDLE, COMPATIBILITY_DATE } from '#commands/build/bundle.ts'
import { bundledVisionFileOf, EDGE_ASSETS, VISION_FILE_EXTENSION } from '#commands/build/edge-files.ts'
import { openSecrets } from '#core/configuration/secrets.ts'
import { PAGE_HEADERS } from '#edge/openapi/swagger-page.ts'
import { isBuilt } from '#models/file-entry.ts'
import { readModel } from '#models/files.ts'
import { entryOf } from '#models/manifest.ts'
import { type PlacedPack, packNamed, STANDARD_PACK } from '#models/packs.ts'
import { clientOf, form, sample } from '#test/support/client.ts'

const names = (await readdir(BUNDLE)).filter(name => !['.map', '.md', '.sha256'].includes(extname(name)))

/** Compressed size of the bundle with this pack. Files that are not at hand count as incompressible. */
async function compressedSize(pack: PlacedPack) {
  const vision = await bundledVisionFileOf(pack, async file => {
    const entry = entryOf(file)
    return isBuilt(entry) ? readModel(file) : new Uint8Array(randomBytes(entry.bytes))
  })
  const others = names.filter(name => extname(name) !== VISION_FILE_EXTENSION)
  const files = [vision, ...(await Promise.all(others.map(name => readFile(join(BUNDLE, name)))))]
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0)
}

describe('the bundle of the edge', () => {
  let origin: string
  beforeAll(async () => {
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        workers: [
          {
            name: 'edge',
            modulesRoot: BUNDLE,
            modules: names
              .sort((a, b) => Number(b === 'worker.js') - Number(a === 'worker.js'))
              .map(name => ({ type: typeOf(name), path: join(BUNDLE, name) })),
            compatibilityDate: COMPATIBILITY_DATE,
            assets: {
              directory: EDGE_ASSETS,
              binding: 'ASSETS',
              // What wrangler makes of run_worker_first.
              routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
            },
            bindings: {
              CORE_URL: inject('core'),
              EDGE_SECRET: (await openSecrets(inject('data'))).edge[0].key,
              LOG_REQUESTS: 'false',
            },
          },
        ],
      }),
    )
    origin = (await miniflare.ready).origin
    return () => miniflare.dispose()
  })

  it.each(['standard', 'yunet'])('has at most 5.5 MB compressed with the pack %s', async name => {
    expect(await compressedSize(await packNamed(inject('data'), name))).toBeLessThan(5.5e6)
  })

  it('reads the liveness network from its static assets, and callers cannot read it', async () => {
    const api = clientOf(origin, inject('token'))
    const { body } = await api('POST', '/v1/detect', form({ photo: await sample(1), liveness: 'true' }))
    expect(body.faces[0].liveness).toBeGreaterThan(0)
    await expect(api('GET', `/${STANDARD_PACK.liveness.file}`)).toAnswer(404)
  })

  it("serves Swagger UI's script from its static assets, which callers cannot read", async () => {
    const { status, headers, body } = await fetch(`${origin}/docs/v1/swagger-ui-bundle.js`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(Object.fromEntries(headers)).toMatchObject({ ...PAGE_HEADERS, 'content-encoding': 'gzip' })
    expect(await buffer(body!)).toEqual(await readFile(join(EDGE_ASSETS, 'swagger-ui-bundle.js')))
    const api = clientOf(origin, inject('token'))
    await expect(api('GET', '/swagger-ui-bundle.js')).toAnswer(404)
  })
})

const typeOf = (name: string) => {
  if (name === 'worker.js') return 'ESModule'
  return extname(name) === '.wasm' ? 'CompiledWasm' : 'Data'
}
