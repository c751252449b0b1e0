/** Pixels and where they lie: rasters as files store them, photos as people see them, and the one sampler between. */

/** 8-bit RGB, rows from the top, three bytes a pixel. */
export interface Raster {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * A decoded photo. Everything outside the decoder speaks of the upright photo at full size: `width` x `height` pixels
 * after EXIF orientation. The raster may be smaller, and is as the file stores it.
 */
export interface Photo {
  readonly raster: Raster
  /** EXIF 1..8; 1 when the file has none. */
  readonly orientation: number
  readonly width: number
  readonly height: number
  /** Gives the raster's memory back to its decoder; the raster must not be read afterwards. */
  release(): void
}

/** x' = a x + b y + c, y' = d x + e y + f */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number]
