/** The page of a gallery: its faces, a filter, enrolment, and actions on selected faces. */
import { useEffect, useState } from 'preact/hooks'
import type { MienClient } from '../../clients/typescript/src/index.ts'
import { ConfirmButton } from '../components/dialog.tsx'
import { PageHead } from '../components/page.tsx'
import { Problem } from '../components/state.tsx'
import { titleOfGallery, useGalleries } from '../connection/lists.ts'
import { leaveFor, useService, useStore } from '../connection/service.ts'
import { useAllowed } from '../connection/session.ts'
import { useAction } from '../connection/task.ts'
import { FaceGrid } from '../grid/face-grid.tsx'
import { usePagedList } from '../grid/tile-grid.tsx'
import { hashOf } from '../route.ts'
import { TEXTS } from '../texts.ts'
import { conditionsOf, type Filter, filterIn, queryOf } from './conditions.ts'
import { EnrolPanel } from './enrol-panel.tsx'
import { forgetEnrolment } from './enrolment-memory.ts'
import { FilterForm } from './filter.tsx'
import { GalleryState } from './galleries-page.tsx'
import { RenameGallery } from './gallery-forms.tsx'
import { enrolment } from './running-enrolment.ts'
import { Selection } from './selection.tsx'

/** Faces per request when only their ids are needed. */
const ID_PAGE_SIZE = 1_000

/** Ids of all faces of a gallery that meet a filter. Calls `onProgress` with their number after each page. */
async function allIds(
  client: MienClient,
  gallery: string,
  filter: Filter,
  onProgress: (count: number) => void,
): Promise<Set<number>> {
  const ids = new Set<number>()
  const request = { ...conditionsOf(filter), gallery, pageSize: ID_PAGE_SIZE }
  for await (const page of client.faces.list(request).pages()) {
    for (const { id } of page) ids.add(id)
    onProgress(ids.size)
  }
  return ids
}

/** Milliseconds between two counts of the faces during an enrolment. */
const COUNT_MS = 3_000

const NO_IDS: ReadonlySet<number> = new Set()

export function GalleryPage({ name, query }: { name: string; query: string }) {
  const service = useService()
  const { client } = service
  const mayPost = useAllowed('post')
  const mayChange = useAllowed('change')
  const mayAdminister = useAllowed('manage')
  const [selected, setSelected] = useState(NO_IDS)
  const [lists, setLists] = useState(0)
  const [counts, setCounts] = useState(0)
  const running = useStore(enrolment)
  const [, setChanges] = useState(0)
  const [renames, setRenames] = useState(0)
  const { value: galleries } = useGalleries(renames)
  const title = titleOfGallery(galleries, name)
  const [collected, setCollected] = useState(0)
  const selecting = useAction()
  const filter = filterIn(query)
  const isFiltered = queryOf(filter) !== ''
  const list = usePagedList(
    (asked, options) => client.faces.list({ ...conditionsOf(filter), gallery: name, ...asked }, options),
    [client, name, query, lists],
  )

  const reload = () => setLists(count => count + 1)
  const recount = () => setCounts(count => count + 1)
  const isEnrolling = running?.state === 'running' && running.settings.gallery === name
  const hasEnrolled = isEnrolling && (running.progress?.faces ?? 0) > 0
  // The grid loads again with the first enrolled face and at the end. Until the end, only the number of faces follows.
  useEffect(() => {
    if (!hasEnrolled) return
    reload()
    const timer = setInterval(recount, COUNT_MS)
    return () => {
      clearInterval(timer)
      reload()
    }
  }, [hasEnrolled])

  const selectAll = async () => {
    setCollected(0)
    setSelected(await allIds(client, name, filter, setCollected))
  }
  const remove = async () => {
    await client.galleries.delete(name)
    forgetEnrolment()
    leaveFor(service, { page: 'galleries' }, TEXTS.deleteGallery.done(title))
  }
  const change = (update: () => void) => {
    update()
    setChanges(count => count + 1)
  }
  const applyFilter = (chosen: Filter) => {
    location.hash = hashOf({ page: 'gallery', name, query: queryOf(chosen) })
  }
  // A face of another filter would be selected out of sight.
  useEffect(() => setSelected(NO_IDS), [query])
  if (galleries && name !== 'default' && !galleries.some(gallery => gallery.name === name))
    return (
      <>
        <PageHead title={title} back={{ route: { page: 'galleries' }, text: TEXTS.gallery.back }} />
        <p class="empty">{TEXTS.gallery.missing}</p>
      </>
    )
  return (
    <>
      <PageHead title={title} back={{ route: { page: 'galleries' }, text: TEXTS.gallery.back }}>
        <GalleryState name={name} changes={lists + counts} isGrowing={isEnrolling} />
      </PageHead>
      {mayPost && <EnrolPanel gallery={name} onPortrait={reload} />}
      {mayAdminister && name !== 'default' && (
        <details>
          <summary>{TEXTS.gallery.manage}</summary>
          <div class="stack">
            {galleries && (
              <RenameGallery gallery={name} title={title} onRenamed={() => setRenames(renames + 1)} />
            )}
            <div class="row actions">
              <ConfirmButton
                label={TEXTS.deleteGallery.label}
                {...TEXTS.deleteGallery.question(title)}
                typed={{ text: title, label: TEXTS.deleteGallery.type }}
                run={remove}
              />
            </div>
          </div>
        </details>
      )}
      <FilterForm gallery={name} filter={filter} onFilter={applyFilter} />
      <Problem error={selecting.problem} />
      <FaceGrid
        list={list}
        selected={selected}
        onSelected={mayChange ? setSelected : undefined}
        empty={
          isEnrolling ? TEXTS.gallery.enrolling : isFiltered ? TEXTS.gallery.noMatch : TEXTS.gallery.empty
        }
        isGrowing={isEnrolling}
      >
        {mayChange && (
          <button
            type="button"
            class="quiet"
            disabled={selecting.isRunning}
            onClick={() => void selecting.run(selectAll)}
          >
            {selecting.isRunning ? TEXTS.gallery.collecting(collected) : TEXTS.gallery.selectAll}
          </button>
        )}
        <a href={hashOf({ page: 'check', name })}>{TEXTS.check.link}</a>
      </FaceGrid>
      <Selection
        gallery={name}
        title={title}
        selected={selected}
        onSelected={setSelected}
        onRemoved={ids => {
          list.remove(ids)
          recount()
        }}
        onChanged={face => change(() => list.replace(face))}
      />
    </>
  )
}
