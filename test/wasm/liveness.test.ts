/** Liveness: which part of the photo the network is shown, and what it says of a photo and of a screen that shows it. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readModel } from '../../models/files.ts'
import { loadCodecs } from '../../wasm/decode/codecs.node.ts'
import { surroundings } from '../../wasm/liveness.ts'
import { look, openEyes } from '../../wasm/look.ts'
import { openRuntime } from '../../wasm/runtime.node.ts'

describe('what the network is shown of a photo', () => {
  const photo = { width: 1000, height: 800 }

  it('is the box, enlarged about its centre', () => {
    const box = { x1: 450, y1: 350, x2: 550, y2: 450 }
    expect(surroundings(photo, box, 2.7)).toEqual({ x1: 365, y1: 265, x2: 635, y2: 535 })
  })

  it('is moved to lie on the photo where the box is at its edge, or beyond it', () => {
    expect(surroundings(photo, { x1: 0, y1: 700, x2: 100, y2: 800 }, 2.7)).toEqual({
      x1: 0,
      y1: 530,
      x2: 270,
      y2: 800,
    })
    expect(surroundings(photo, { x1: -20, y1: -20, x2: 80, y2: 80 }, 2)).toEqual({
      x1: 0,
      y1: 0,
      x2: 200,
      y2: 200,
    })
  })

  it('is less where the photo has less, and as wide to its height as the box', () => {
    const shown = surroundings(photo, { x1: 300, y1: 200, x2: 600, y2: 600 }, 2.7)
    expect(shown).toEqual({ x1: 150, y1: 0, x2: 750, y2: 800 })
  })
})
