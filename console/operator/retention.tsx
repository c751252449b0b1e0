/** How long galleries and cameras keep faces. */
import { useState } from 'preact/hooks'
import { updateCamera } from '../cameras/use-cameras.ts'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'
import { RetentionRow } from './retention-row.tsx'

/** Galleries that are shown at once: each costs a request. */
const SHOWN = 25

export function Retention() {
  const { client } = useService()
  const [shown, setShown] = useState(SHOWN)
  const galleries = useTask(signal => client.galleries.list({ signal }).toArray(), [])
  const cameras = useTask(signal => client.cameras.list({ signal }).toArray(), [])
  const names = galleries.state === 'done' ? galleries.value : []
  const texts = TEXTS.retention
  return (
    <>
      <p class="lead">{texts.intro}</p>
      {galleries.state === 'running' && <Status text={TEXTS.loading} />}
      {galleries.state === 'failed' && <Problem error={galleries.error} onRetry={galleries.retry} />}
      <section class="card rules">
        <h2>{texts.galleries}</h2>
        <ul>
          {names.slice(0, shown).map(name => (
            <GalleryRetention key={name} name={name} />
          ))}
        </ul>
        {names.length > shown && (
          <div>
            <button type="button" class="quiet" onClick={() => setShown(shown + SHOWN)}>
              {texts.more(Math.min(SHOWN, names.length - shown))}
            </button>
          </div>
        )}
      </section>
      <section class="card rules">
        <h2>{texts.cameras}</h2>
        {cameras.state === 'failed' && <Problem error={cameras.error} onRetry={cameras.retry} />}
        {cameras.state === 'done' && cameras.value.length === 0 && <p class="hint">{texts.noCameras}</p>}
        <ul>
          {cameras.state === 'done' &&
            cameras.value.map(({ id, meta, retention_days }) => (
              <RetentionRow
                key={id}
                name={texts.camera(meta, id)}
                days={retention_days}
                onSave={async days => {
                  await updateCamera(client, id, { retention_days: days })
                }}
              />
            ))}
        </ul>
      </section>
    </>
  )
}

function GalleryRetention({ name }: { name: string }) {
  const { client } = useService()
  const gallery = useTask(signal => client.galleries.get(name, { signal }), [name])
  if (gallery.state === 'failed') return <Problem error={gallery.error} onRetry={gallery.retry} />
  if (gallery.state !== 'done') return <li class="rule">{name}</li>
  return (
    <RetentionRow
      name={name}
      hint={name === 'default' ? TEXTS.retention.defaultHint : undefined}
      days={gallery.value.retention_days}
      onSave={async days => {
        await client.galleries.update(name, { retention_days: days })
      }}
    />
  )
}
