/** A grid of any number of items: only the visible tiles are on the page. */
import { type ComponentChildren, options } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Problem, Status } from '../components/state.tsx'
import { useService, useStore } from '../connection/service.ts'
import { isReturn } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { type AskedList, PagedList } from './paged-list.ts'

interface Properties<T extends { id: number }> {
  list: Pick<PagedList<T>, 'length' | 'isComplete' | 'at' | 'show'> & Partial<Pick<PagedList<T>, 'top'>>
  /** Name of the grid for screen readers. */
  label: string
  /** Text about the number of loaded items. Undefined: no text. */
  count?: (loaded: number, isAll: boolean) => string
  /** Text of an empty list. */
  empty: string
  /** Beside the number of loaded items; nothing above an empty list. */
  actions?: ComponentChildren
  /** Default: SMALL. */
  tile?: TileSize
  /** The tile of an item. */
  children: (item: T) => ComponentChildren
}

/** The visible part of a grid, in pixels from its top. */
interface View {
  width: number
  top: number
  bottom: number
}

export function TileGrid<T extends { id: number }>({
  list,
  label,
  count,
  empty,
  actions,
  tile = SMALL,
  children,
}: Properties<T>) {
  const grid = useRef<HTMLDivElement>(null)
  const recoveries = useStore(useService().recoveries)
  const [view, setView] = useState<View>()
  const [, setLoads] = useState(0)
  const [error, setError] = useState<unknown>()
  useViewOf(grid, list.top, setView)
  useEffect(() => {
    if (view) list.top = view.top
  }, [view])

  const isPrinted = view?.bottom === PRINTED.bottom
  const layout = view && layoutOf(view.width, tile)
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

  const shown = layout ? Math.min(last, list.length - 1) : -1
  const isEmpty = list.isComplete && list.length === 0
  return (
    <section class="stack tight" aria-label={label}>
      {count && (
        <div class="row">
          <p class="hint grow">{!isEmpty && count(list.length, list.isComplete)}</p>
          {actions && list.length > 0 && <div class="row actions">{actions}</div>}
        </div>
      )}
      {isEmpty && <p class="empty">{empty}</p>}
      <div
        ref={grid}
        class={isPrinted ? 'printed' : 'grid'}
        style={isPrinted ? '' : { height: `${layout ? gridHeight(list.length, layout) : 0}px` }}
      >
        {layout &&
          Array.from({ length: Math.max(0, shown - first + 1) }, (_, i) => first + i).map(index => {
            const item = list.at(index)
            return (
              <div
                key={item?.id ?? `place ${index}`}
                class="place"
                style={isPrinted ? '' : tileStyle(index, layout)}
              >
                {item && children(item)}
              </div>
            )
          })}
      </div>
      <Problem error={error} isLoad />
      {error === undefined && !list.isComplete && <Status />}
    </section>
  )
}

/** The lists that the visitor has left, without their items, by the hash of the page, and how many the console keeps. */
const leftLists = new Map<string, unknown>()
const KEPT_LISTS = 20

/**
 * A list of the client, another one when `inputs` change. Its loads end with it, and with the component. A visitor who goes back to a
 * page finds its list at the place that it had.
 */
export function usePagedList<T extends { id: number }>(
  list: AskedList<T>,
  inputs: readonly unknown[],
  isHidden?: (item: T) => boolean,
): PagedList<T> {
  const before = useRef(isReturn() ? (leftLists.get(location.hash) as PagedList<T> | undefined) : undefined)
  const paged = useMemo(() => new PagedList(list, isHidden, before.current), inputs)
  useEffect(() => {
    const { hash } = location
    before.current = undefined
    return () => {
      paged.close()
      leftLists.delete(hash)
      leftLists.set(hash, paged)
      if (leftLists.size > KEPT_LISTS) leftLists.delete(leftLists.keys().next().value!)
    }
  }, [paged])
  return paged
}

/** The part of a grid that is printed: about a thousand of the loaded tiles. */
const PRINTED: View = { width: 700, top: 0, bottom: 50_000 }

/** Renders a change before it returns: browsers print before they run deferred work. */
function renderNow(change: () => void) {
  options.debounceRendering = render => render()
  change()
  delete options.debounceRendering
}

/** Follows the visible part of the grid. It begins at the place `top`, which it keeps until the visitor scrolls. */
function useViewOf(
  grid: { current: HTMLElement | null },
  top: number | undefined,
  onView: (view: View) => void,
) {
  useEffect(() => {
    let isPrinting = false
    let kept = top
    const measure = (event?: unknown) => {
      if (!grid.current || isPrinting) return
      const { top, width, height } = grid.current.getBoundingClientRect()
      if (kept !== undefined && height > 0) {
        if (!(event instanceof Event)) scrollBy(0, top + kept)
        else if (Math.abs(top + kept) > 1) kept = undefined
      }
      onView({ width, top: -top, bottom: innerHeight - top })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(grid.current!)
    observer.observe(document.body)
    const print = ({ type }: Event) => {
      isPrinting = type === 'beforeprint'
      if (isPrinting) renderNow(() => onView(PRINTED))
      else measure()
    }
    addEventListener('scroll', measure, { passive: true })
    addEventListener('beforeprint', print)
    addEventListener('afterprint', print)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', measure)
      removeEventListener('beforeprint', print)
      removeEventListener('afterprint', print)
    }
  }, [grid, onView])
}

interface SelectionProperties {
  label: string
  text: string
  onClear: () => void
  /** The actions on selected items. */
  children: ComponentChildren
}

/** A bar at the bottom of the window with the actions on selected tiles. */
export const SelectionBar = ({ label, text, onClear, children }: SelectionProperties) => (
  <section class="card row selection-bar" aria-label={label}>
    <p class="grow" role="status">
      {text}
    </p>
    {children}
    <button type="button" class="quiet" onClick={onClear}>
      {TEXTS.clear}
    </button>
  </section>
)

/** Least width of a tile, and height of the text below its square picture, in CSS pixels. */
interface TileSize {
  width: number
  text: number
}

const SMALL: TileSize = { width: 132, text: 62 }

/** A tile with a name in three lines, how sure it is, camera and time. */
export const LARGE_TILE: TileSize = { width: 220, text: 128 }

const GAP = 12

interface GridLayout {
  columns: number
  /** Width and height of a tile, without the gap. */
  width: number
  height: number
}

/** The layout of a grid of this width. */
function layoutOf(gridWidth: number, tile: TileSize): GridLayout {
  const columns = Math.max(2, Math.floor((gridWidth + GAP) / (tile.width + GAP)))
  const width = (gridWidth - (columns - 1) * GAP) / columns
  return { columns, width, height: width + tile.text }
}

/** Height of a grid with so many tiles. */
function gridHeight(count: number, { columns, height }: GridLayout) {
  const rows = Math.ceil(count / columns)
  return rows === 0 ? 0 : rows * (height + GAP) - GAP
}

/** The first and the last place in a part of the grid, with one row more on each side. `top` and `bottom` are from the grid's top. */
function placesIn(top: number, bottom: number, { columns, height }: GridLayout): [number, number] {
  const row = height + GAP
  const first = Math.max(0, Math.floor(top / row) - 1)
  const last = Math.max(0, Math.floor(bottom / row) + 1)
  return [first * columns, (last + 1) * columns - 1]
}

/** Place of a tile, as a style. */
function tileStyle(index: number, { columns, width, height }: GridLayout) {
  const left = (index % columns) * (width + GAP)
  const top = Math.floor(index / columns) * (height + GAP)
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }
}
