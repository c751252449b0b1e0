/** Statistics routes: number of vectors of each gallery by space, state of its index, the calibration, and a later version. */
import { Hono } from 'hono'
import { ServiceError } from '../../../contract/errors.ts'
import { NO_INDEX_FILE } from '../../../contract/store-interface.ts'
import type { CalibrationReport } from '../../calibration/scale.ts'
import { galleryNumber } from '../../operations/galleries/galleries.ts'
import type { GalleryStatistics, VectorStore } from '../../vector-store/vector-store.ts'
import { flag, galleryName, wholeNumber } from './store-parameters.ts'

/** Routes below `/stat`. Without `calibration`, `/stat/calibration` returns NOT_FOUND. */
export const statisticsRoutes = ({
  vectors,
  calibration,
  laterVersion,
}: {
  vectors: VectorStore
  calibration?: CalibrationReport
  laterVersion?: () => string | undefined
}): Hono =>
  new Hono()
    .get('/stat/calibration', async context => {
      if (!calibration) throw new ServiceError('NOT_FOUND')
      return context.json(calibration)
    })
    .get('/stat/version', context => context.json({ later_version: laterVersion?.() }))
    .get('/stat/list/:start/:limit', async context => {
      const start = wholeNumber(context, 'start', 1)
      const limit = wholeNumber(context, 'limit', 1)
      const shape = flag(context, 'info') ? infoOf : entryOf
      const all = await vectors.galleries()
      const galleries = all.slice(start - 1, start - 1 + limit).map(shape)
      return context.json({ galleries, total: all.length })
    })
    .get('/stat/info/:name', async context =>
      context.json(infoOf(await knownGallery(vectors, galleryName(context)))),
    )

/** Statistics of a gallery. Throws NOT_FOUND when the gallery does not exist. */
export async function knownGallery(vectors: VectorStore, name: string): Promise<GalleryStatistics> {
  const gallery = await vectors.gallery(name)
  if (!gallery) throw new ServiceError('NOT_FOUND', { reason: `There is no gallery "${name}".` })
  return gallery
}

const entryOf = ({ gallery, linear, preindex, indexed }: GalleryStatistics) => ({
  id: galleryNumber(gallery),
  name: gallery,
  cnt_linear: linear,
  cnt_preindex: preindex,
  cnt_indexed: indexed,
})

const infoOf = (gallery: GalleryStatistics) => ({
  ...entryOf(gallery),
  cnt_preindex_deleted: gallery.preindexDeleted,
  cnt_indexed_deleted: gallery.indexedDeleted,
  index_file: gallery.indexFile ?? NO_INDEX_FILE,
  index_loaded: gallery.indexLoaded,
  cptr: gallery.indexHandle,
})
