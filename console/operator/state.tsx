/** The state of the service: versions, shards, backups, drills and response times. */
import { useState } from 'preact/hooks'
import type { ServiceState } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { formatDate } from '../format.ts'
import { GalleryState } from '../galleries/gallery-state.tsx'
import { TEXTS } from '../texts.ts'
import { Durations } from './durations.tsx'

export function State() {
  const { client } = useService()
  const [refreshes, setRefreshes] = useState(0)
  const [last, setLast] = useState<ServiceState>()
  const task = useTask(signal => client.service.get({ signal }), [refreshes])
  if (task.state === 'done' && task.value !== last) setLast(task.value)
  return (
    <>
      {!last && task.state === 'running' && <Status text={TEXTS.loading} />}
      {task.state === 'failed' && <Problem error={task.error} onRetry={task.retry} />}
      {last && (
        <>
          <div class="panels">
            <About state={last} />
            <Store state={last} changes={refreshes} />
            <Backup backup={last.backup} />
          </div>
          <Durations durations={last.durations} />
          <div>
            <button type="button" onClick={() => setRefreshes(refreshes + 1)}>
              {TEXTS.state.refresh}
            </button>
          </div>
        </>
      )}
    </>
  )
}

function About({ state }: { state: ServiceState }) {
  const texts = TEXTS.state
  const facts = [
    [texts.version, state.version],
    [texts.pack, state.pack],
    [texts.embedder, state.embedder],
    [texts.started, formatDate(state.started)],
    [texts.disk, state.disk_full ? texts.diskFull : texts.diskOk],
  ] as const
  return (
    <section class="card panel">
      <h2>{texts.service}</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** `changes` grows when the counts must be loaded again. */
function Store({ state: { shards }, changes }: { state: ServiceState; changes: number }) {
  const texts = TEXTS.state
  return (
    <section class="card panel">
      <h2>{texts.store}</h2>
      <GalleryState name="default" changes={changes} />
      <p>{texts.shards(shards.live, shards.total)}</p>
      <ul class="shards">
        {shards.available.map((isUp, i) => (
          <li key={texts.shard(i + 1, isUp)} class={isUp ? 'up' : 'away'}>
            {texts.shard(i + 1, isUp)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Backup({
  backup: { started = '', completed = '', failed = '', drilled },
}: {
  backup: ServiceState['backup']
}) {
  const texts = TEXTS.state
  // Times of the API sort as texts.
  const isUnfinished = started > completed && started > failed
  return (
    <section class="card panel">
      <h2>{texts.backup}</h2>
      {!(started || completed || failed) && <p>{texts.noBackup}</p>}
      {completed && <p>{texts.completed(completed)}</p>}
      {failed > completed && <Problem error={texts.failed(failed)} />}
      {isUnfinished && <p>{texts.unfinished(started)}</p>}
      {completed && <p>{drilled === undefined ? texts.noDrill : texts.drilled(drilled)}</p>}
    </section>
  )
}
