/** The audit log after kills of core: it contains every answered change, and its hash chain is intact. */
import { expect, it } from 'vitest'
import { storeGallery } from '#contract/model/gallery.ts'
import { tokenHash } from '#contract/model/token.ts'
import { decodeFrame, encodeFrame } from '#contract/rpc/frame.ts'
import { type RpcOperation, type RpcRequest, rpcPath } from '#contract/rpc/operations.ts'
import { signedHeaders, signingKey } from '#contract/rpc/signature.ts'
import { openSecrets } from '#core/configuration/secrets.ts'
import { embedderLabel } from '#core/embedding/label.ts'
import { galleryNumber } from '#core/http/store/statistics.ts'
import { nextEntries } from '#core/metadata/audit-log/entries.ts'
import { verifyAudit } from '#core/metadata/audit-log/verification.ts'
import { openDatabase } from '#core/metadata/database.ts'
import { createToken } from '#core/metadata/issue-tokens.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { startCore } from '#test/unit/core/core-process.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { edgeHeaders } from '#test/unit/core/http/rpc/edge-headers.ts'
import { expectVerified } from '#test/verified.ts'

const ROUNDS = 3
const AT_ONCE = 8

it(`the audit log contains every answered change of ${ROUNDS} cores that were killed`, {
  tags: 'long',
}, async () => {
  const data = await temporaryFolder()
  const token = await createToken({ data, owner: 'acme', name: '' })
  const key = await signingKey((await openSecrets(data)).edge[0].key)
  const answered: string[] = []
  let owner = ''
  for (let round = 0; round < ROUNDS; round++) {
    const core = startCore(data)
    const port = await core.port
    const ask = async <V extends RpcOperation>(verb: V, request: RpcRequest<V>) => {
      const [path, body] = [rpcPath(verb), encodeFrame(request)]
      const signed = await signedHeaders(key, { method: 'POST', path, body }, Date.now())
      const headers = { ...signed, ...edgeHeaders(embedderLabel(STANDARD_PACK)) }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
      expect(response.status).toBe(200)
      return decodeFrame(new Uint8Array(await response.arrayBuffer())).header
    }
    const caller = (await ask('caller', { tokenHash: (await tokenHash(token))! })) as {
      owner: string
      token: string
    }
    owner = caller.owner
    const before = answered.length
    const work = async (worker: number) => {
      for (let number = 0; ; number++) {
        const gallery = `g${round}-${worker}-${number}`
        await ask('gallery.create', { owner, by: caller.token, gallery })
        answered.push(gallery)
      }
    }
    const workers = Array.from({ length: AT_ONCE }, (_, worker) => work(worker).catch(() => {}))
    await expect.poll(() => answered.length, { timeout: 60_000 }).toBeGreaterThan(before + 20)
    core.child.kill('SIGKILL')
    await Promise.all(workers)
  }
  const database = await openDatabase(data)
  expect(await verifyAudit(database)).not.toHaveProperty('fault')
  const entries = await nextEntries(database, 0, 100_000)
  const written = new Set(entries.map(({ subject }) => JSON.parse(subject).gallery as number))
  expect(answered.filter(name => !written.has(galleryNumber(storeGallery(owner, name))))).toEqual([])
  database.$client.close()
  expectVerified(data)
})
