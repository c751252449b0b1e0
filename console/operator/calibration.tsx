/** The calibration of the service: its curve, and the error rates of the named thresholds. */
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useTask } from '../connection/task.ts'
import { formatPercent, formatThreshold } from '../format.ts'
import { TEXTS } from '../texts.ts'
import type { CalibrationState } from './curve.ts'
import { CurveChart } from './curve-chart.tsx'

export function Calibration() {
  const { client } = useService()
  const task = useTask(signal => client.service.get({ signal }), [])
  if (task.state === 'failed') return <Problem error={task.error} onRetry={task.retry} />
  if (task.state !== 'done') return <Status text={TEXTS.loading} />
  const { calibration } = task.value
  if (!calibration) return <p class="empty">{TEXTS.calibration.none}</p>
  return (
    <>
      <section class="card curve-card">
        <h2>{TEXTS.calibration.title}</h2>
        <p class="hint">{TEXTS.calibration.text(TEXTS.calibration.tables[calibration.table])}</p>
        <CurveChart calibration={calibration} />
      </section>
      <Thresholds thresholds={calibration.thresholds} />
    </>
  )
}

function Thresholds({ thresholds }: Pick<CalibrationState, 'thresholds'>) {
  const { columns, ...texts } = TEXTS.calibration
  const strangers = (fmr: number | undefined) => {
    if (fmr === undefined) return texts.unknown
    return fmr > 0 ? texts.oneIn(Math.round(1 / fmr)) : formatPercent(fmr)
  }
  return (
    <div class="table-card">
      <table class="stacked">
        <caption>{texts.thresholds}</caption>
        <thead>
          <tr>
            {Object.entries(columns).map(([column, name]) => (
              <th key={column} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {thresholds.map(({ name, confidence, fmr, tmr }) => (
            <tr key={name}>
              <th scope="row" data-label={columns.name}>
                {TEXTS.confidence.tiers[name]}
              </th>
              <td data-label={columns.confidence}>{formatThreshold(confidence)}</td>
              <td data-label={columns.fmr}>{strangers(fmr)}</td>
              <td data-label={columns.tmr}>{tmr === undefined ? texts.unknown : formatPercent(tmr)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
