/** Follows events: loads the history, and adds live events on top of it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { EventConnection } from '../../clients/typescript/src/index.ts'
import { useService } from '../connection/context.ts'
import { useStore } from '../connection/store.ts'
import { firstPage, PAGE_SIZE, PagedList } from '../grid/paged-list.ts'
import { type ChosenEvents, historyFilter, isWithin, liveFilter } from './event-filter.ts'
import { EventList } from './event-list.ts'

/** Distance from the top in CSS pixels within which new events are shown at once. */
const TOP = 240

export interface FollowedEvents {
  list: EventList
  connection: EventConnection | undefined
  /** Why the events cannot be followed. */
  problem: unknown
  /** Shows the events that wait. */
  showWaiting: () => void
}

/** The events of a filter. A new filter begins a new list. */
export function useEvents(chosen: ChosenEvents): FollowedEvents {
  const { client, recoveries: recovered } = useService()
  const recoveries = useStore(recovered)
  const [loads, setLoads] = useState(0)
  const [, setChanges] = useState(0)
  const [connection, setConnection] = useState<EventConnection>()
  const [problem, setProblem] = useState<unknown>()
  const change = () => setChanges(count => count + 1)
  const key = JSON.stringify(chosen)
  const current = useRef<{ key: string; list: EventList; last: string | undefined; start: () => void }>(
    undefined,
  )
  if (current.current?.key !== `${key} ${loads}`) {
    current.current?.list.history.close()
    // The history is loaded after the stream has begun: no event falls between them.
    const started = Promise.withResolvers<void>()
    const history = new PagedList(async (after, signal) => {
      await started.promise
      const filter = { ...historyFilter(chosen), pageSize: PAGE_SIZE, max_id: after }
      return firstPage(client.history.search(filter, { signal }))
    })
    current.current = {
      key: `${key} ${loads}`,
      list: new EventList(history),
      last: undefined,
      start: started.resolve,
    }
  }
  const { list } = current.current

  useEffect(() => {
    const aborter = new AbortController()
    const followed = current.current!
    const onConnection = (state: EventConnection) => {
      followed.start()
      setConnection(state)
    }
    const follow = async () => {
      const options = { lastEventId: followed.last, signal: aborter.signal, onConnection }
      for await (const { id, face } of client.events({ ...liveFilter(chosen), ...options })) {
        followed.last = id
        if (!face.cam_id || !isWithin(face, chosen)) continue
        list.add({ ...face, cam_id: face.cam_id }, scrollY < TOP)
        if (list.isOverfull && scrollY < TOP) setLoads(count => count + 1)
        change()
      }
    }
    setProblem(undefined)
    follow().catch(error => {
      followed.start()
      if (aborter.signal.aborted) return
      setConnection(undefined)
      setProblem(error)
    })
    return () => aborter.abort()
  }, [list, recoveries])
  useEffect(() => () => current.current?.list.history.close(), [])

  return {
    list,
    connection,
    problem,
    showWaiting() {
      if (list.isOverfull) setLoads(count => count + 1)
      else list.showWaiting()
      change()
      scrollTo(0, 0)
    },
  }
}
