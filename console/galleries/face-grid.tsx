/** A grid of faces of any number: only the visible tiles are on the page. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Face } from '../../clients/typescript/src/index.ts'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useStore } from '../connection/store.ts'
import { TEXTS } from '../texts.ts'
import { FaceTile } from './face-tile.tsx'
import { gridHeight, layoutOf, placesIn, tileAt } from './grid-layout.ts'
import type { PagedList } from './paged-list.ts'

interface Properties {
  list: PagedList<Face>
  selected: ReadonlySet<number>
  onSelected: (ids: ReadonlySet<number>) => void
  /** What the page says when the list is empty. */
  empty: string
}

/** The visible part of a grid, in pixels from its top. */
export interface View {
  width: number
  top: number
  bottom: number
}

export function FaceGrid({ list, selected, onSelected, empty }: Properties) {
  const grid = useRef<HTMLDivElement>(null)
  const recoveries = useStore(useService().recoveries)
  const [view, setView] = useState<View>()
  const [, setLoads] = useState(0)
  const [error, setError] = useState<unknown>()
  useViewOf(grid, setView)

  const layout = view && layoutOf(view.width)
  const [first, last] = view && layout ? placesIn(view.top, view.bottom, layout) : [0, -1]
  const load = useCallback(() => {
    if (last < 0) return
    setError(undefined)
    list.show(first, last).then(
      hasChanged => hasChanged && setLoads(count => count + 1),
      cause => cause?.name !== 'AbortError' && setError(cause),
    )
  }, [list, first, last])
  // A connection that is back loads what failed.
  useEffect(load, [load, recoveries, list.length])

  const toggle = (id: number) => {
    const ids = new Set(selected)
    if (!ids.delete(id)) ids.add(id)
    onSelected(ids)
  }
  const shown = layout ? Math.min(last, list.length - 1) : -1
  const isEmpty = list.isComplete && list.length === 0
  return (
    <section aria-label={TEXTS.gallery.grid}>
      <p class="hint count">{!isEmpty && TEXTS.gallery.loaded(list.length, list.isComplete)}</p>
      {isEmpty && <p class="empty">{empty}</p>}
      <div ref={grid} class="grid" style={{ height: `${layout ? gridHeight(list.length, layout) : 0}px` }}>
        {layout &&
          Array.from({ length: Math.max(0, shown - first + 1) }, (_, i) => first + i).map(index => {
            const face = list.at(index)
            const { left, top } = tileAt(index, layout)
            const style = {
              left: `${left}px`,
              top: `${top}px`,
              width: `${layout.width}px`,
              height: `${layout.height}px`,
            }
            return (
              <div key={face?.id ?? `place ${index}`} class="place" style={style}>
                {face && <FaceTile face={face} isSelected={selected.has(face.id)} onToggle={toggle} />}
              </div>
            )
          })}
      </div>
      {error !== undefined && <Problem error={error} onRetry={load} />}
      {error === undefined && !list.isComplete && <Status text={TEXTS.loading} />}
    </section>
  )
}

/** Follows the visible part of the grid. */
export function useViewOf(grid: { current: HTMLElement | null }, onView: (view: View) => void): void {
  useEffect(() => {
    const measure = () => {
      if (!grid.current) return
      const { top, width } = grid.current.getBoundingClientRect()
      onView({ width, top: Math.max(0, -top), bottom: Math.max(0, innerHeight - top) })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(grid.current!)
    observer.observe(document.body)
    addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      removeEventListener('scroll', measure)
    }
  }, [grid, onView])
}
