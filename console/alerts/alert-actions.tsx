/** What can be done with a stored rule: a test message, a new secret, and deletion. */
import { useState } from 'preact/hooks'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Problem } from '../components/problem.tsx'
import { useService } from '../connection/context.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  id: string
  hasWebhook: boolean
  /** Called with a new secret. */
  onSecret: (secret: string) => void
  /** Called after a test message. */
  onTest: () => void
}

export function AlertActions({ id, hasWebhook, onSecret, onTest }: Properties) {
  const { client } = useService()
  const [asked, setAsked] = useState<'rotate' | 'delete'>()
  const [isTested, setIsTested] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const texts = TEXTS.alert
  const close = () => setAsked(undefined)
  const test = async () => {
    setProblem(undefined)
    setIsTested(false)
    try {
      await client.alerts.test(id)
      setIsTested(true)
      onTest()
    } catch (error) {
      setProblem(error)
    }
  }
  const rotate = async () => {
    onSecret((await client.alerts.rotateSecret(id)).secret)
    close()
  }
  const remove = async () => {
    await client.alerts.delete(id)
    location.hash = hashOf({ page: 'alerts' })
  }
  return (
    <>
      <div class="alert-actions">
        <button type="button" onClick={() => void test()}>
          {texts.test}
        </button>
        {hasWebhook && (
          <button type="button" onClick={() => setAsked('rotate')}>
            {texts.rotate}
          </button>
        )}
        <button type="button" class="danger" onClick={() => setAsked('delete')}>
          {texts.delete}
        </button>
        <p role="status">{isTested && texts.tested}</p>
      </div>
      {problem !== undefined && <Problem error={problem} />}
      {asked === 'rotate' && (
        <ConfirmDialog
          title={texts.rotateTitle}
          text={texts.rotateText}
          confirm={texts.rotate}
          run={rotate}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={texts.deleteTitle}
          text={texts.deleteText}
          confirm={texts.delete}
          isDanger
          run={remove}
          onClose={close}
        />
      )}
    </>
  )
}
