/** Response times of the operations. */
import type { ServiceState } from '../../clients/typescript/src/index.ts'
import { TEXTS } from '../texts.ts'

export function Durations({ durations }: Pick<ServiceState, 'durations'>) {
  const { columns, ...texts } = TEXTS.state
  if (durations.length === 0) return <p class="empty">{texts.noDurations}</p>
  return (
    <div class="table-card">
      <table>
        <caption>
          {texts.durations}
          <small>{texts.durationsHint}</small>
        </caption>
        <thead>
          <tr>
            <th scope="col">{columns.operation}</th>
            <th scope="col" class="number">
              {columns.p50}
            </th>
            <th scope="col" class="number">
              {columns.p99}
            </th>
          </tr>
        </thead>
        <tbody>
          {durations.map(({ operation, p50, p99 }) => (
            <tr key={operation}>
              <th scope="row">{operation}</th>
              <td class="number">{texts.ms(p50)}</td>
              <td class="number">{texts.ms(p99)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
