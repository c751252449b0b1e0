/** Knowledge of clients about the data of an owner: acknowledged and unanswered changes, and the states that they allow. */

/** A change of one value. It took effect once between `start` and `end`, or perhaps not at all if it is not sure. */
export interface Write<Value> {
  value: Value
  start: number
  end: number
  isSure: boolean
}

/** A value that concurrent requests change. Times are numbers of events of the history. */
export class Register<Value> {
  #writes: Write<Value>[]
  readonly #clock: () => number

  constructor(clock: () => number, first: Value) {
    this.#clock = clock
    this.#writes = [{ value: first, start: -1, end: -1, isSure: true }]
  }

  /** A change that begins now and has no answer yet. */
  begin(value: Value): Write<Value> {
    const write = { value, start: this.#clock(), end: Number.POSITIVE_INFINITY, isSure: false }
    this.#writes.push(write)
    return write
  }

  /** Forgets a change that was refused. */
  withdraw(refused: Write<Value>): void {
    this.#writes = this.#writes.filter(write => write !== refused)
  }

  /** Values that a read from `from` until now may return. */
  possible(from = this.#clock()): Set<Value> {
    const open = this.#writes.filter(
      write => !this.#writes.some(later => later.isSure && later.start > write.end && later.end < from),
    )
    return new Set(open.map(({ value }) => value))
  }

  /** Whether a read now returns this value for certain. */
  isCertain(value: Value): boolean {
    const values = this.possible()
    return values.size === 1 && values.has(value)
  }
}

/** An enrolment: the faces of one photo, all or none. */
export interface PhotoRequest {
  /** The name of the photo, which its faces keep. */
  photo: string
  colours: number[]
  start: number
  /** The last answer, or the time when the client gave up. */
  end: number
  /** The faces of the answer; undefined while it is unknown whether they exist. */
  faces: number[] | undefined
  /** Whether it has an Idempotency-Key. */
  hasKey: boolean
  /** Whether a deletion of unknown faces ran since. */
  mayBeReduced: boolean
  galleries: string[]
}

/** An acknowledged face. */
export interface KnownFace {
  id: number
  colour: number
  /** Empty: the service may give it the name of a person, or the meta of a similar face. */
  meta: Register<string>
  camera: string | undefined
  request: PhotoRequest
  /** Number of updates that have begun. */
  updates: number
  /** Times of the first answered deletion, and of the first deletion that may have deleted it. */
  goneSince: number | undefined
  mayGoSince: number | undefined
  /** Number of begun deletions that may delete it. */
  deletions: number
  /** Whether an answered deletion goes on in the background. */
  isGoing: boolean
  galleries: Map<string, Register<boolean>>
  person: Register<number | undefined | 'any'>
}

/** A rule that posts a message about each face of a camera. */
export interface KnownRule {
  id: string
  url: string
  start: number
  end: number
  /** Without a condition on persons. */
  isOfAll: boolean
  mayGoSince: number | undefined
}

/** The model of one owner. */
export class OwnerModel {
  readonly id: string
  /** Clients give, merge and split persons. Otherwise the service identifies them, one for each colour. */
  readonly namesPersons: boolean
  readonly faces = new Map<number, KnownFace>()
  /** Ids of all faces whose deletion was answered. */
  readonly gone = new Set<number>()
  readonly requests = new Map<string, PhotoRequest>()
  /** Id of the camera that posts faces. */
  camera = ''
  readonly rules: KnownRule[] = []
  readonly galleries = new Map<string, Register<boolean>>()
  readonly persons = new Map<number, Register<boolean>>()
  /** Number of deletions of several faces that are unanswered: they may delete faces of later requests. */
  openDeletions = 0
  /** Merges of persons that may have moved faces. */
  readonly merges: { from: number; to: number }[] = []
  /** Begun and acknowledged changes by the name of the operation, for the audit log. */
  readonly begun = new Map<string, number>()
  readonly acknowledged = new Map<string, number>()
  readonly clock: () => number
  /** A person that requests may name, from the first on. */
  newestPerson = 10_000

  constructor(id: string, namesPersons: boolean, clock: () => number) {
    this.id = id
    this.namesPersons = namesPersons
    this.clock = clock
  }

  gallery = (name: string): Register<boolean> => entry(this.galleries, name, () => this.#register(false))

  person = (id: number): Register<boolean> => entry(this.persons, id, () => this.#register(false))

  /** The id of another person, that no request names before. */
  newPerson = () => (this.newestPerson += 1_000)

  memberOf = (face: KnownFace, gallery: string) => entry(face.galleries, gallery, () => this.#register(false))

  /** Whether a face may be of this person, also by merges. `from`: the start of the read. */
  mayBeOf({ person }: KnownFace, id: number | undefined, from?: number): boolean {
    const possible = person.possible(from)
    if (possible.has('any')) return true
    for (let before = -1; before < possible.size; ) {
      before = possible.size
      for (const merge of this.merges) if (possible.has(merge.from)) possible.add(merge.to)
    }
    return possible.has(id)
  }

  /** Acknowledged faces that no answered deletion deleted. */
  present(): KnownFace[] {
    return [...this.faces.values()].filter(({ goneSince }) => goneSince === undefined)
  }

  /** Faces that exist for certain. */
  certain(): KnownFace[] {
    return this.present().filter(({ mayGoSince }) => mayGoSince === undefined)
  }

  acknowledgeFace(
    request: PhotoRequest,
    id: number,
    { meta, ...given }: Pick<KnownFace, 'colour' | 'camera'> & { meta: string },
  ): KnownFace {
    const known = this.faces.get(id)
    if (known && (known.request === request || known.mayGoSince === undefined)) return known
    // Ids are random within a millisecond: two cores can give the id of a deleted face again.
    if (known) this.gone.delete(id)
    const face: KnownFace = {
      id,
      ...given,
      meta: this.#register(meta),
      request,
      updates: 0,
      goneSince: undefined,
      deletions: request.mayBeReduced ? 1 : 0,
      isGoing: false,
      mayGoSince: request.mayBeReduced ? request.start : undefined,
      galleries: new Map(),
      person: new Register<number | undefined | 'any'>(this.clock, 'any'),
    }
    for (const gallery of request.galleries) face.galleries.set(gallery, this.#register(true))
    this.faces.set(id, face)
    return face
  }

  /** A deletion has begun of the returned faces, for which `may` holds. Faces of open enrolments may be among them. */
  mayDelete(may: (face: KnownFace) => boolean): Set<KnownFace> {
    const faces = new Set([...this.faces.values()].filter(may))
    for (const face of faces) {
      face.deletions++
      face.mayGoSince ??= this.clock()
    }
    for (const request of this.requests.values()) if (request.faces === undefined) request.mayBeReduced = true
    return faces
  }

  deleted(ids: readonly number[]): void {
    for (const id of ids) {
      this.gone.add(id)
      const face = this.faces.get(id)
      if (!face) continue
      face.mayGoSince ??= this.clock()
      face.goneSince ??= this.clock()
    }
  }

  #register<Value>(first: Value): Register<Value> {
    return new Register(this.clock, first)
  }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value) {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
