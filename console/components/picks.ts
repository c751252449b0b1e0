/** Keys of a field with choices below it: arrows move among them, and Enter takes or reaches the first one. */
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * For an element with an input and choices of the class `pick`. Enter before the choices of the text are loaded waits for them.
 * `isSure` false: Enter moves the focus to the first choice, and takes nothing.
 */
export function usePicks(
  box: RefObject<HTMLElement | null>,
  isLoaded: boolean,
  isSure = true,
): (event: KeyboardEvent) => void {
  const isWaiting = useRef(false)
  const picks = () => [...box.current!.querySelectorAll<HTMLElement>('.pick')]
  const takeFirst = () => picks()[0]?.[isSure ? 'click' : 'focus']()
  useEffect(() => {
    if (!isLoaded || !isWaiting.current) return
    isWaiting.current = false
    takeFirst()
  })
  return event => {
    // Enter ends the composition of a Japanese or Chinese word.
    if (event.isComposing) return
    const places = [box.current!.querySelector('input'), ...picks()]
    const at = places.indexOf(document.activeElement as HTMLInputElement)
    const step = STEPS[event.key]
    isWaiting.current = event.key === 'Enter' && at === 0 && !isLoaded
    if (step !== undefined) places.at((at + step) % places.length)?.focus()
    else if (event.key !== 'Enter' || at !== 0) return
    else if (isLoaded) takeFirst()
    event.preventDefault()
  }
}
