/** The page Cameras: all cameras, with a switch for each. */
import type { Camera } from '../../clients/typescript/src/index.ts'
import { maskedUrl } from '../../contract/url-credentials.ts'
import { EnabledSwitch } from '../components/enabled-switch.tsx'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { useAllowed } from '../connection/token.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { REGION_NAMES } from './region-surface.tsx'
import { updateCamera } from './use-cameras.ts'

export function CamerasPage() {
  const { client } = useService()
  const mayChange = useAllowed('administer')
  const cameras = useTask(signal => client.cameras.list({ signal }).toArray(), [])
  return (
    <>
      <header class="page-head">
        <h1>{TEXTS.cameras.title}</h1>
        <p>{TEXTS.cameras.intro}</p>
        {mayChange && (
          <a class="button primary" href={hashOf({ page: 'new camera' })}>
            {TEXTS.cameras.create}
          </a>
        )}
      </header>
      {cameras.state === 'running' && <Status text={TEXTS.loading} />}
      {cameras.state === 'failed' && <Problem error={cameras.error} onRetry={cameras.retry} />}
      {cameras.state === 'done' && cameras.value.length === 0 && <p class="empty">{TEXTS.cameras.empty}</p>}
      {cameras.state === 'done' && (
        <ul class="cameras">
          {cameras.value.map(camera => (
            <CameraCard key={camera.id} camera={camera} mayChange={mayChange} />
          ))}
        </ul>
      )}
    </>
  )
}

function CameraCard({ camera, mayChange }: { camera: Camera; mayChange: boolean }) {
  const { client } = useService()
  const name = camera.meta || TEXTS.cameras.unnamed
  return (
    <li class="card camera-card">
      <h2>{mayChange ? <a href={hashOf({ page: 'camera', id: camera.id })}>{name}</a> : name}</h2>
      <code>{camera.id}</code>
      {camera.url && <p class="camera-url">{maskedUrl(camera.url)}</p>}
      <dl>
        {REGION_NAMES.map(region => (
          <div key={region}>
            <dt>{TEXTS.cameras[region]}</dt>
            <dd>{camera[region] ? TEXTS.cameras.region(camera[region]) : TEXTS.cameras.whole}</dd>
          </div>
        ))}
      </dl>
      {mayChange ? (
        <EnabledSwitch
          label={TEXTS.cameras.enabled}
          name={name}
          isEnabled={camera.enabled}
          onChange={async enabled => (await updateCamera(client, camera.id, { enabled })).enabled}
        />
      ) : (
        <State isEnabled={camera.enabled} />
      )}
    </li>
  )
}

const State = ({ isEnabled }: { isEnabled: boolean }) => (
  <p class="hint">{isEnabled ? TEXTS.cameras.enabled : TEXTS.cameras.disabled}</p>
)
