/** The notice on every page for an administrator without a passkey: when the session ends, and a button that makes one. */
import { Problem } from '../components/state.tsx'
import { openService, useService, useStore } from '../connection/service.ts'
import { useAllowed, useToken } from '../connection/session.ts'
import { currentSession, linkCode, openLink } from '../connection/sign-in.ts'
import { useAction, useTask } from '../connection/task.ts'
import { formatDay } from '../format.ts'
import { enrolment } from '../galleries/running-enrolment.ts'
import { HTTPS_HELP } from '../help/documents.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

/** Milliseconds for which the link of a cancelled passkey stays. */
const LINK_MS = 3_600_000

export function PasskeyNotice() {
  const { client, url } = useService()
  const { id: session, user: id, expires } = useToken()
  const mayAdminister = useAllowed('administer')
  const isAsked = mayAdminister && id !== undefined
  const users = useTask(isAsked ? signal => client.users.list({ signal }).toArray() : undefined, [])
  const action = useAction()
  // Photos under way have the CSRF token of the session that ends.
  const isEnrolling = useStore(enrolment)?.state === 'running'
  const own = users.value?.find(user => user.id === id)
  if (!own || own.has_passkey || own.by_provider) return null
  const make = async () => {
    const { link } = await client.users.invite({
      name: own.name,
      role: own.role,
      again: true,
      expires: new Date(Date.now() + LINK_MS).toISOString(),
    })
    await openLink(url, linkCode(new URL(link).hash)!)
    const csrf = await currentSession(url)
    if (csrf !== undefined)
      await openService({ url, credential: { csrf }, onRefused() {} })
        .client.users.endSession(session)
        .catch(() => undefined)
    location.reload()
  }
  const texts = TEXTS.passkeyNotice
  return (
    <section class="note row low" aria-label={texts.label}>
      <p class="grow">
        {texts.text(expires === undefined ? '' : formatDay(expires))}{' '}
        {!isSecureContext && <a href={hashOf(HTTPS_HELP)}>{texts.insecure}</a>}
      </p>
      {isSecureContext && (
        <button
          type="button"
          disabled={action.isRunning || isEnrolling}
          onClick={() => void action.run(make)}
        >
          {texts.make}
        </button>
      )}
      <Problem error={action.problem} />
    </section>
  )
}
