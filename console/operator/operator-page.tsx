/** The page Service, for operators: tokens, people, the audit log and the state of the service, one part at a time. */

import { useState } from 'preact/hooks'
import type { ServiceState } from '../../clients/typescript/src/index.ts'
import { ConfirmButton } from '../components/dialog.tsx'
import { PageHead, Sections } from '../components/page.tsx'
import { Loaded } from '../components/state.tsx'
import { Facts, Table } from '../components/table.tsx'
import { useClient } from '../connection/service.ts'
import { useToken } from '../connection/session.ts'
import { useTask } from '../connection/task.ts'
import { formatDate } from '../format.ts'
import { Counts } from '../galleries/galleries-page.tsx'
import { hashOf, SECTIONS, type Section } from '../route.ts'
import { indexState } from '../texts/galleries.ts'
import { TEXTS } from '../texts.ts'
import { AuditLog } from './audit-log.tsx'
import { People } from './people.tsx'
import { Tokens } from './tokens.tsx'

function State() {
  const client = useClient()
  const [refreshes, setRefreshes] = useState(0)
  const service = useTask(signal => client.service.get({ signal }), [], [refreshes])
  return (
    <Loaded task={service}>
      {state => (
        <>
          <div class="cards few">
            <About state={state} />
            <Store state={state} changes={refreshes} />
          </div>
          <Durations durations={state.durations} />
          <EvidenceKeys />
          <button type="button" onClick={() => setRefreshes(refreshes + 1)}>
            {TEXTS.state.refresh}
          </button>
        </>
      )}
    </Loaded>
  )
}

function About({ state }: { state: ServiceState }) {
  const texts = TEXTS.state
  return (
    <section class="card stack tight">
      <h2>{texts.service}</h2>
      <Facts
        class="facts"
        facts={[
          [texts.version, state.version],
          [texts.pack, state.pack],
          [texts.embedder, state.embedder],
          [texts.started, formatDate(state.started)],
          [texts.disk, state.disk_full ? texts.diskFull : texts.diskOk],
        ]}
      />
    </section>
  )
}

/** `changes` grows when the counts must be loaded again. */
function Store({ state: { shards }, changes }: { state: ServiceState; changes: number }) {
  const client = useClient()
  const galleries = useTask(signal => client.galleries.statistics({ signal }).toArray(), [], [changes])
  const texts = TEXTS.state
  return (
    <section class="card stack tight">
      <h2>{texts.store}</h2>
      <Loaded task={galleries}>{([all]) => all && <Counts gallery={all} />}</Loaded>
      <p>{shards.live === shards.total ? texts.whole : texts.partly}</p>
      <details>
        <summary>{TEXTS.details}</summary>
        <Facts
          class="facts"
          facts={[
            [texts.search, galleries.value?.[0] && indexState(galleries.value[0])],
            [texts.parts, texts.shards(shards.live, shards.total)],
          ]}
        />
        <ul class="stack tight small">
          {shards.available.map((isUp, i) => (
            <li key={texts.shard(i + 1, isUp)} class={`dot ${isUp ? 'up' : 'away'}`}>
              {texts.shard(i + 1, isUp)}
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

/** Response times of the operations. */
function Durations({ durations }: Pick<ServiceState, 'durations'>) {
  const texts = TEXTS.state
  if (durations.length === 0) return <p class="empty">{texts.noDurations}</p>
  return (
    <Table
      caption={
        <>
          {texts.durations}
          <small>{texts.durationsHint}</small>
        </>
      }
      columns={texts.columns}
      rows={durations.map(({ operation, p50, p99 }) => ({
        key: operation,
        cells: { operation: <BrokenName name={operation} />, p50: texts.ms(p50), p99: texts.ms(p99) },
      }))}
      classes={{ p50: 'number', p99: 'number' }}
      isStacked={false}
    />
  )
}

/** A name in camel case, which breaks between its words. */
const BrokenName = ({ name }: { name: string }) => (
  <>{name.split(/(?=[A-Z])/).flatMap(word => [word, <wbr key={word} />])}</>
)

/** The keys that sign evidence. */
function EvidenceKeys() {
  const client = useClient()
  const keys = useTask(signal => client.service.evidenceKeys({ signal }).toArray(), [])
  const settings = useTask(signal => client.service.settings({ signal }), [])
  const texts = TEXTS.evidence
  const renew = async () => {
    await client.service.renewEvidenceKey()
    keys.reload()
  }
  return (
    <section class="card stack tight" aria-label={texts.keys}>
      <h2>{texts.keys}</h2>
      <p class="hint">{texts.keysHint}</p>
      <Loaded task={keys}>
        {found => (
          <>
            {found.map(({ id, public_key, created, signs }, i) => (
              <div key={id}>
                <small>
                  {signs || i === 0
                    ? texts.signs(formatDate(created))
                    : texts.signed(formatDate(created), formatDate(found[i - 1]!.created))}
                </small>
                <pre class="wrapped">{public_key}</pre>
              </div>
            ))}
          </>
        )}
      </Loaded>
      <Loaded task={settings}>
        {({ fixed_by }) =>
          fixed_by ? <p>{texts.shared}</p> : <ConfirmButton {...texts.renewal} run={renew} />
        }
      </Loaded>
    </section>
  )
}

const PAGE_PARTS = {
  tokens: Tokens,
  people: People,
  'audit-log': AuditLog,
  state: State,
} satisfies Record<Section, unknown>

export function OperatorPage({ section }: { section: Section }) {
  const { owner } = useToken()
  const Part = PAGE_PARTS[section]
  return (
    <>
      <PageHead title={TEXTS.operator.title} intro={TEXTS.operator.intro(owner)} />
      <Sections
        label={TEXTS.operator.label}
        links={SECTIONS.map(name => ({
          hash: hashOf({ page: 'service', section: name }),
          text: TEXTS.operator.sections[name],
          isCurrent: name === section,
        }))}
      />
      <Part />
    </>
  )
}
