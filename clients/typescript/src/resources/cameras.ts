/** Cameras, which post faces to the history, and alert rules about these faces. */
import { appendFields, appendPhoto, type Photo, segment } from '../fields.ts'
import { Pages, Resource } from '../pages.ts'
import type { CallOptions } from '../send.ts'
import type {
  Alert,
  AlertHistoryEntry,
  AlertHistoryFilter,
  AlertMark,
  AlertParameters,
  Camera,
  CameraChange,
  CameraLease,
  CameraParameters,
  CameraReport,
  CameraState,
  Delivery,
  DeliveryFilter,
  HistoryEvent,
  HistoryFilter,
  NewAlert,
  NewSecret,
  Notifications,
  Subscription,
} from '../types.ts'

const pathOf = (id: string): string => `/camera/${segment(id)}`

export class Cameras extends Resource {
  /** Lists all cameras, oldest first. */
  list(options?: CallOptions): Pages<Camera> {
    return new Pages(async () => ({
      results: await this.send({ method: 'GET', path: '/camera' }, options),
    }))
  }

  /** Creates a camera. Not repeated after a lost answer: that could create a second one. */
  create(parameters: CameraParameters = {}, options?: CallOptions): Promise<Camera> {
    return this.send({ method: 'POST', path: '/camera', body: parameters }, options)
  }

  get(id: string, options?: CallOptions): Promise<Camera> {
    return this.send({ method: 'GET', path: pathOf(id) }, options)
  }

  /** Changes a camera. An absent `rot` or `roi` deletes this region. */
  update(id: string, change: CameraChange, options?: CallOptions): Promise<Camera> {
    return this.send({ method: 'PUT', path: pathOf(id), body: change }, options)
  }

  /** Whether a watcher holds the camera and frames arrive, and what it reported last. */
  state(id: string, options?: CallOptions): Promise<CameraState> {
    return this.send({ method: 'GET', path: `${pathOf(id)}/state` }, options)
  }

  /**
   * The last frame, a JPEG picture with boxes around the faces. The first call makes the watcher send pictures for a while, and
   * rejects with NOT_FOUND and a `retryAfter`.
   */
  picture(id: string, options?: CallOptions): Promise<Blob> {
    return this.send({ method: 'GET', path: `${pathOf(id)}/picture` }, options)
  }

  /**
   * Takes the camera for a watcher, or reports its state. The lease ends some seconds after the last report. Rejects with
   * CAMERA_TAKEN and a `retryAfter` while another watcher holds the camera.
   */
  async lease(
    id: string,
    { picture, ...report }: CameraReport & { picture?: Photo | undefined },
    options?: CallOptions,
  ): Promise<CameraLease> {
    const path = `${pathOf(id)}/lease`
    if (picture === undefined) return this.send({ method: 'PUT', path, body: report }, options)
    const body = new FormData()
    await appendPhoto(body, 'picture', picture)
    appendFields(body, report)
    return this.send({ method: 'PUT', path, body }, options)
  }

  /** Gives the camera back. Other watchers may take it at once. */
  release(id: string, watcher: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `${pathOf(id)}/lease`, body: { watcher } }, options)
  }

  /** Deletes a camera. Its faces and events remain. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: pathOf(id) }, options)
  }
}

/** Events per request. Without a limit the API returns all events at once. */
const PAGE_SIZE = 100

interface HistorySearch extends HistoryFilter {
  pageSize?: number | undefined
  max_id?: number | undefined
}

export class History extends Resource {
  /** Lists the events of cameras, newest first. With `max_id`, only events below this id. */
  search(
    { pageSize = PAGE_SIZE, ...filter }: HistorySearch = {},
    options?: CallOptions,
  ): Pages<HistoryEvent> {
    return this.pages('/history/search', options, { ...filter, limit: pageSize })
  }
}

const alertPath = (id: string): string => `/alert/id/${segment(id)}`

export class Alerts extends Resource {
  /** Lists all rules, oldest first. */
  list(options?: CallOptions): Pages<Alert> {
    return this.pages('/alerts', options)
  }

  /** Creates a rule. `secret` is in this answer only, and absent without a `url`. Not repeated after a lost answer: that could create a second one. */
  create(parameters: AlertParameters, options?: CallOptions): Promise<NewAlert> {
    return this.send({ method: 'POST', path: '/alerts', body: parameters }, options)
  }

  get(id: string, options?: CallOptions): Promise<Alert> {
    return this.send({ method: 'GET', path: alertPath(id) }, options)
  }

  /** Replaces all settings of a rule: an absent condition is removed. The answer has a `secret` with the first `url` of the rule. */
  update(id: string, parameters: AlertParameters, options?: CallOptions): Promise<NewAlert> {
    return this.send({ method: 'PUT', path: alertPath(id), body: parameters }, options)
  }

  /** Deletes a rule with its deliveries. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: alertPath(id) }, options)
  }

  /** Adds a secret. Messages carry signatures of the new and the previous secret for 24 hours. */
  rotateSecret(id: string, options?: CallOptions): Promise<NewSecret> {
    return this.send({ method: 'POST', path: `${alertPath(id)}/secret` }, options)
  }

  /** Sends a message without a face. */
  test(id: string, options?: CallOptions): Promise<Delivery> {
    return this.send({ method: 'POST', path: `${alertPath(id)}/test` }, options)
  }

  /** Lists the deliveries of a rule, newest first. */
  deliveries(id: string, filter: DeliveryFilter = {}, options?: CallOptions): Pages<Delivery> {
    return this.pages(`${alertPath(id)}/deliveries`, options, filter)
  }

  /** Sends a failed delivery again. */
  retry(id: string, delivery: number, options?: CallOptions): Promise<Delivery> {
    const path = `${alertPath(id)}/deliveries/${delivery}/retry`
    return this.send({ method: 'POST', path }, options)
  }

  /** Lists the alerts of all rules of the last days, newest first. */
  history(filter: AlertHistoryFilter = {}, options?: CallOptions): Pages<AlertHistoryEntry> {
    return this.pages('/alerts/history', options, filter)
  }

  /** The number of alerts that nobody has seen. */
  async unseen(options?: CallOptions): Promise<number> {
    return (await this.send<AlertMark>({ method: 'GET', path: '/alerts/history?limit=1' }, options)).unseen
  }

  /** Marks an alert of the history as seen, or takes the mark back. */
  markSeen(id: number, seen = true, options?: CallOptions): Promise<AlertMark> {
    return this.send({ method: 'PUT', path: `/alerts/history/${id}`, body: { seen } }, options)
  }

  /** The browsers of the user or token that show notifications. */
  notifications(options?: CallOptions): Promise<Notifications> {
    return this.send({ method: 'GET', path: '/notifications' }, options)
  }

  /** Sends notifications to a browser. */
  subscribe(subscription: Subscription, options?: CallOptions): Promise<{ id: string }> {
    return this.send({ method: 'POST', path: '/notifications', body: subscription }, options)
  }

  unsubscribe(id: string, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/notifications/${segment(id)}` }, options)
  }
}
