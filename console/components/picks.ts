/** Keys of a field with choices below it: arrows move among them, and Enter takes the first one. */
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** For an element with an input and choices of the class `pick`. Enter before the choices of the text are loaded waits for them. */
export function usePicks(
  box: RefObject<HTMLElement | null>,
  isLoaded: boolean,
): (event: KeyboardEvent) => void {
  const isWaiting = useRef(false)
  const picks = () => [...box.current!.querySelectorAll<HTMLElement>('.pick')]
  useEffect(() => {
    if (!isLoaded || !isWaiting.current) return
    isWaiting.current = false
    picks()[0]?.click()
  })
  return event => {
    const places = [box.current!.querySelector('input'), ...picks()]
    const at = places.indexOf(document.activeElement as HTMLInputElement)
    const step = STEPS[event.key]
    isWaiting.current = event.key === 'Enter' && at === 0 && !isLoaded
    if (step !== undefined) places.at((at + step) % places.length)?.focus()
    else if (event.key !== 'Enter' || at !== 0) return
    else if (isLoaded) picks()[0]?.click()
    event.preventDefault()
  }
}
