/** Learns of a later release of the service from a server that the operator names. */
import * as z from 'zod'
import { environment } from '../../../contract/environment.ts'
import { PACK_LIMITS } from '../../../contract/limits/packs.ts'
import { PROVIDER_LIMITS } from '../../../contract/limits/tokens.ts'
import { operatorTrusted } from '../../network/pinned-request.ts'
import { repeatedly } from '../repeatedly.ts'

/** A version, and the mark of a pre-release. */
const TAG = /^v?(\d{1,9}\.\d{1,9}\.\d{1,9})(-.+)?$/

/** A release as GitHub, Gitea and Forgejo describe it. */
const ReleaseSchema = z.object({ tag_name: z.string().regex(TAG), prerelease: z.boolean().optional() })

const { compare } = new Intl.Collator('en', { numeric: true })

/** Address of the latest release, and the version of this service. The version is not sent. Without an address, no request is sent. */
type Question = Record<'url' | 'version', string>

/** Asks at once and each day. `failed` receives the first of consecutive errors; the last answer then stays. */
export function askForReleaseRepeatedly(
  question: Question,
  failed: (error: unknown) => void,
  everyMs: number = PACK_LIMITS.releaseEveryMs,
) {
  const stopping = new AbortController()
  let later: string | undefined
  let isFailing = false
  const ask = async () => {
    try {
      later = await laterRelease(question, stopping.signal)
      isFailing = false
    } catch (error) {
      if (!isFailing && !stopping.signal.aborted) failed(error)
      isFailing = true
    }
  }
  const asking = question.url === '' ? undefined : ask().then(() => repeatedly(everyMs, ask))
  return {
    laterVersion: () => later,
    async stop() {
      stopping.abort()
      await (await asking)?.stop()
    },
  }
}

/** Asks once. Undefined for a pre-release, and for a version that is not later. Rejects without a release. */
export async function laterRelease({ url, version }: Question, stop: AbortSignal) {
  const { status, text } = await operatorTrusted(new URL(url))(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([environment.deadline(PROVIDER_LIMITS.requestMs), stop]),
  })
  // The log has codes of errors, and no messages.
  if (status !== 200) throw Object.assign(new Error('no release'), { code: status })
  const { tag_name, prerelease } = ReleaseSchema.parse(JSON.parse(text))
  const [, latest = '', mark] = TAG.exec(tag_name) ?? []
  return prerelease || mark || compare(latest, version) <= 0 ? undefined : latest
}
