/** A confidence as a bar with the named thresholds marked. */
import { formatNumber } from '../format.ts'
import { TEXTS } from '../texts.ts'
import { THRESHOLDS, tierOf } from '../thresholds.ts'

const MARKS = Object.entries(THRESHOLDS) as [keyof typeof THRESHOLDS, number][]

export function Confidence({ value }: { value: number }) {
  const tier = tierOf(value)
  return (
    <div class={`confidence ${tier}`}>
      <div class="bar" aria-hidden="true">
        <div class="fill" style={{ width: `${100 * value}%` }} />
        {MARKS.map(([name, at]) => (
          <span key={name} class={`mark ${name}`} style={{ left: `${100 * at}%` }}>
            <i>{TEXTS.confidence.tiers[name]}</i>
          </span>
        ))}
      </div>
      <p class="value">
        <span class="visually-hidden">{TEXTS.confidence.label} </span>
        {formatNumber(value)}
        <span class="visually-hidden"> ({TEXTS.confidence.tiers[tier]})</span>
      </p>
    </div>
  )
}
