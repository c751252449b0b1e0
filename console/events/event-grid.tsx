/** A grid of events of any number, newest first: only the visible tiles are on the page. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../components/problem.tsx'
import { Status } from '../components/status.tsx'
import { useService } from '../connection/context.ts'
import { useStore } from '../connection/store.ts'
import { useViewOf, type View } from '../galleries/face-grid.tsx'
import { gridHeight, layoutOf, placesIn, tileAt } from '../galleries/grid-layout.ts'
import { TEXTS } from '../texts.ts'
import type { EventList, ShownEvent } from './event-list.ts'
import { EventTile } from './event-tile.tsx'

interface Properties {
  list: EventList
  /** Name of a camera, by the `cam_id` of an event. */
  cameraName: (id: string) => string
  onLoaded: () => void
  onOpen: (event: ShownEvent) => void
}

export function EventGrid({ list, cameraName, onLoaded, onOpen }: Properties) {
  const grid = useRef<HTMLDivElement>(null)
  const recoveries = useStore(useService().recoveries)
  const [view, setView] = useState<View>()
  const [error, setError] = useState<unknown>()
  useViewOf(grid, setView)

  const { history } = list
  const layout = view && layoutOf(view.width)
  const [first, last] = view && layout ? placesIn(view.top, view.bottom, layout) : [0, -1]
  const added = list.length - history.length
  const load = useCallback(() => {
    if (last < 0) return
    setError(undefined)
    history.show(Math.max(0, first - added), Math.max(0, last - added)).then(
      hasChanged => hasChanged && onLoaded(),
      cause => cause?.name !== 'AbortError' && setError(cause),
    )
  }, [history, first, last, added])
  // A connection that is back loads what failed.
  useEffect(load, [load, recoveries, history.length])

  const shown = layout ? Math.min(last, list.length - 1) : -1
  return (
    <section aria-label={TEXTS.events.list}>
      {history.isComplete && list.length === 0 && <p class="empty">{TEXTS.events.empty}</p>}
      <div ref={grid} class="grid" style={{ height: `${layout ? gridHeight(list.length, layout) : 0}px` }}>
        {layout &&
          Array.from({ length: Math.max(0, shown - first + 1) }, (_, i) => first + i).map(index => {
            const event = list.at(index)
            const { left, top } = tileAt(index, layout)
            const style = {
              left: `${left}px`,
              top: `${top}px`,
              width: `${layout.width}px`,
              height: `${layout.height}px`,
            }
            return (
              <div key={event?.id ?? `place ${index}`} class="place" style={style}>
                {event && <EventTile event={event} camera={cameraName(event.cam_id)} onOpen={onOpen} />}
              </div>
            )
          })}
      </div>
      {error !== undefined && <Problem error={error} onRetry={load} />}
      {error === undefined && !history.isComplete && <Status text={TEXTS.loading} />}
    </section>
  )
}
