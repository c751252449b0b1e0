/** The detector of the service: those that there are, and a button that downloads and uses another one. */
import { useEffect } from 'preact/hooks'
import type { Detectors } from '../../clients/typescript/src/index.ts'
import { Loaded, Problem, Status } from '../components/state.tsx'
import { Facts } from '../components/table.tsx'
import { useService } from '../connection/service.ts'
import { type Action, type Task, useAction, useTask } from '../connection/task.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'

type DetectorPack = Detectors['packs'][number]

/** The pack that the console recommends. */
const RECOMMENDED = 'yunet'

/** Milliseconds between two looks at a download. */
const POLL_MS = 400

interface DetectorTask {
  task: Task<Detectors>
  action: Action
  use: (pack: string) => void
}

/** The detectors, loaded again while one of them is downloaded. */
function useDetectors(): DetectorTask {
  const { client } = useService()
  const task = useTask(signal => client.service.detectors({ signal }), [])
  const action = useAction()
  const { value, reload } = task
  useEffect(() => {
    if (value?.download?.state !== 'running') return
    const timer = setTimeout(reload, POLL_MS)
    return () => clearTimeout(timer)
  }, [value])
  const use = (pack: string) =>
    void action.run(async () => {
      await client.service.useDetector(pack)
      reload()
    })
  return { task, action, use }
}

export function Detector() {
  const { task, action, use } = useDetectors()
  const texts = TEXTS.detector
  return (
    <>
      <p class="lead">{texts.intro}</p>
      <Loaded task={task}>
        {({ packs, download, fixed_by }) => (
          <>
            {fixed_by && <p>{texts.fixed[fixed_by]}</p>}
            <div class="cards few">
              {packs.map(pack => (
                <section key={pack.pack} class="card stack tight">
                  <h2>{texts.name(pack.pack)}</h2>
                  <p>{texts.about(pack.pack)}</p>
                  <PackFacts pack={pack} />
                  {download?.pack === pack.pack && <Download download={download} />}
                  {!pack.in_use && !fixed_by && (
                    <UseButton
                      {...{ pack, download, action }}
                      isPrimary={pack.pack === RECOMMENDED}
                      onUse={use}
                    />
                  )}
                </section>
              ))}
            </div>
            <Problem error={action.problem} />
            <details>
              <summary>{TEXTS.details}</summary>
              <p class="hint">{texts.elsewhere}</p>
            </details>
          </>
        )}
      </Loaded>
    </>
  )
}

const PackFacts = ({ pack: { pack, bytes, files, licences, in_use } }: { pack: DetectorPack }) => (
  <Facts
    class="facts"
    facts={[
      [TEXTS.detector.state, in_use ? TEXTS.detector.inUse : TEXTS.detector.files[files]],
      [TEXTS.detector.size, bytes > 0 ? TEXTS.detector.bytes(bytes) : TEXTS.detector.included],
      [TEXTS.detector.licence, licences.join(', ')],
      [TEXTS.detector.pack, pack],
    ]}
  />
)

const Download = ({
  download: { pack, state, bytes, total },
}: {
  download: NonNullable<Detectors['download']>
}) =>
  state === 'failed' ? (
    <Problem error={TEXTS.detector.failed} />
  ) : (
    <>
      <progress value={bytes} max={total} aria-label={TEXTS.detector.progress(TEXTS.detector.name(pack))} />
      <Status text={TEXTS.detector.downloading} />
    </>
  )

interface ButtonProperties extends Pick<Detectors, 'download'> {
  pack: DetectorPack
  action: Action
  isPrimary?: boolean
  onUse: (pack: string) => void
}

const UseButton = ({
  pack: { pack, files, bytes },
  download,
  action,
  isPrimary,
  onUse,
}: ButtonProperties) => (
  <p>
    <button
      type="button"
      class={isPrimary ? 'primary' : ''}
      disabled={action.isRunning || download?.state === 'running'}
      onClick={() => onUse(pack)}
    >
      {TEXTS.detector.use(TEXTS.detector.name(pack), files !== 'verified' && bytes > 0)}
    </button>
  </p>
)

/** One line that offers the recommended detector while another one is in use, and says when it is used. */
export function DetectorOffer() {
  const { task, action, use } = useDetectors()
  const { packs = [], download, fixed_by } = task.value ?? {}
  const offered = packs.find(({ pack }) => pack === RECOMMENDED)
  if (!offered || fixed_by || (offered.in_use && !action.isDone)) return null
  const settings = <a href={hashOf({ page: 'settings', section: 'detector' })}>{TEXTS.detector.settings}</a>
  if (offered.in_use)
    return (
      <p role="status">
        {TEXTS.detector.used} {settings}
      </p>
    )
  return (
    <div class="stack tight">
      <p>
        {TEXTS.detector.offer(offered.bytes, offered.licences.join(', '))} {settings}
      </p>
      {download?.pack === RECOMMENDED && <Download download={download} />}
      <UseButton pack={offered} download={download} action={action} onUse={use} />
      <Problem error={action.problem} />
    </div>
  )
}
