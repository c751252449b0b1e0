/** A checkbox that enables and disables something of the service at once. */
import { useState } from 'preact/hooks'
import { Problem } from './problem.tsx'

interface Properties {
  label: string
  /** What is enabled, for screen readers. */
  name: string
  isEnabled: boolean
  /** Sets the state. Resolves to the state that the service has then. */
  onChange: (isEnabled: boolean) => Promise<boolean>
}

export function EnabledSwitch({ label, name, isEnabled: first, onChange }: Properties) {
  const [isEnabled, setIsEnabled] = useState(first)
  const [isRunning, setIsRunning] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const change = async () => {
    setIsRunning(true)
    setProblem(undefined)
    try {
      setIsEnabled(await onChange(!isEnabled))
    } catch (error) {
      setProblem(error)
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={isEnabled}
          disabled={isRunning}
          aria-label={`${label}: ${name}`}
          onChange={() => void change()}
        />
        {label}
      </label>
      {problem !== undefined && <Problem error={problem} />}
    </>
  )
}
