/** When which camera saw a person: by day and camera, newest first. */
import { useEffect, useState } from 'preact/hooks'
import { Thumbnail } from '../components/face-boxes.tsx'
import { Loaded } from '../components/state.tsx'
import { cameraName, useCameras } from '../connection/lists.ts'
import { useClient } from '../connection/service.ts'
import { useTask } from '../connection/task.ts'
import { formatDate, formatTime } from '../format.ts'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { type CameraDay, nextSightings, type Sighting, sightingDays } from './searches.ts'

/** Thumbnails of one camera on one day. */
const MOST_THUMBNAILS = 12

export function Timeline({ person }: { person: number }) {
  const client = useClient()
  const [below, setBelow] = useState<number>()
  const [known, setKnown] = useState<readonly Sighting[]>([])
  const page = useTask(signal => nextSightings(client, person, below, signal), [person, below])
  const cameras = useCameras().value
  const found = page.value
  useEffect(() => {
    if (found) setKnown(before => [...before, ...found.sightings])
  }, [found])
  const next = found?.next
  const isEmpty = found && next === undefined && known.length + found.sightings.length === 0
  return (
    <section class="stack" aria-label={TEXTS.timeline.label}>
      {isEmpty && <p class="empty">{TEXTS.timeline.none}</p>}
      <ol>
        {sightingDays(known).map(({ day, cameras: seen }) => (
          <li key={day} class="stack tight day">
            <h2>{day}</h2>
            <ul class="stack tight">
              {seen.map(one => (
                <Camera key={one.camera} day={one} name={cameraName(cameras, one.camera) ?? one.camera} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <Loaded task={page} />
      {next !== undefined && (
        <button type="button" class="quiet" onClick={() => setBelow(next)}>
          {TEXTS.timeline.earlier}
        </button>
      )}
    </section>
  )
}

const Camera = ({ day: { sightings }, name }: { day: CameraDay; name: string }) => (
  <li class="camera-day">
    <p class="row">
      <strong>{TEXTS.timeline.camera(name)}</strong>
      <span class="hint">{TEXTS.timeline.sightings(sightings.length)}</span>
      {sightings.some(({ friend }) => friend) && <span class="badge">{TEXTS.persons.friend}</span>}
    </p>
    <ul class="row small-faces sightings">
      {sightings.slice(0, MOST_THUMBNAILS).map(face => (
        <li key={face.id}>
          <a href={hashOf({ page: 'face', id: face.id })}>
            <Thumbnail face={face} label={formatDate(face.timestamp)} />
          </a>
          <time class="hint" dateTime={`${face.timestamp}Z`}>
            {formatTime(face.timestamp)}
          </time>
        </li>
      ))}
    </ul>
    {sightings.length > MOST_THUMBNAILS && (
      <p class="hint">{TEXTS.timeline.more(sightings.length - MOST_THUMBNAILS)}</p>
    )}
  </li>
)
