/** Follows events: loads the history, and adds live events on top of it. Keeps the latest alerts. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type {
  AlertData,
  EventConnection,
  HistoryEvent,
  LiveAlert,
  LiveEvent,
} from '../../clients/typescript/src/index.ts'
import { useService, useStore } from '../connection/service.ts'
import type { AskedList } from '../grid/paged-list.ts'
import { type ChosenEvents, EventList, historyFilter, isWithin, liveFilter } from './event-list.ts'

/** Distance from the top in CSS pixels within which new events are shown at once. */
const TOP = 240

interface FollowedEvents {
  list: EventList
  /** Alerts since the page was opened or the filter was changed, newest first. */
  alerts: readonly AlertData[]
  connection: EventConnection | undefined
  /** Why the events cannot be followed. */
  problem: unknown
  /** Shows the events that wait. */
  showWaiting: () => void
  /** Loads the list again. */
  reload: () => void
}

/** Alerts in memory. */
const MOST_ALERTS = 300

/** The events of a filter; people to ignore are folded or not. A change of these begins a new list. */
export function useEvents(chosen: ChosenEvents, isFolding: boolean): FollowedEvents {
  const { client, recoveries: recovered } = useService()
  const recoveries = useStore(recovered)
  const [loads, setLoads] = useState(0)
  const [, setChanges] = useState(0)
  const [connection, setConnection] = useState<EventConnection>()
  const [problem, setProblem] = useState<unknown>()
  const [alerts, setAlerts] = useState<readonly AlertData[]>([])
  const change = () => setChanges(count => count + 1)
  const key = JSON.stringify({ ...chosen, isFolding })
  const current = useRef<{ key: string; list: EventList; last: string | undefined; start: () => void }>(
    undefined,
  )
  if (current.current?.key !== `${key} ${loads}`) {
    current.current?.list.history.close()
    // The history is loaded after the stream has begun: no event falls between them.
    const started = Promise.withResolvers<void>()
    const loadHistory: AskedList<HistoryEvent> = async (asked, options) => {
      await started.promise
      return client.history.search({ ...historyFilter(chosen), ...asked }, options)
    }
    current.current = {
      key: `${key} ${loads}`,
      list: new EventList(loadHistory, isFolding ? change : undefined),
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
    const receive = (item: LiveEvent | LiveAlert) => {
      const face = 'alert' in item ? item.alert.face : item.face
      if (face && !isWithin(face, chosen)) return
      if ('alert' in item) return setAlerts(known => [item.alert, ...known].slice(0, MOST_ALERTS))
      if (!item.face.cam_id) return
      list.add({ ...item.face, cam_id: item.face.cam_id }, scrollY < TOP)
      if (list.isOverfull && scrollY < TOP) setLoads(count => count + 1)
      change()
    }
    const follow = async () => {
      const options = { lastEventId: followed.last, signal: aborter.signal, onConnection }
      for await (const item of client.events({ ...liveFilter(chosen), ...options, alerts: true })) {
        followed.last = item.id
        receive(item)
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
  const filter = JSON.stringify(chosen)
  useEffect(() => setAlerts([]), [filter])
  useEffect(() => () => current.current?.list.history.close(), [])

  const reload = () => setLoads(count => count + 1)
  return {
    list,
    alerts,
    connection,
    problem,
    showWaiting() {
      if (list.isOverfull) reload()
      else list.showWaiting()
      change()
      scrollTo(0, 0)
    },
    reload,
  }
}
