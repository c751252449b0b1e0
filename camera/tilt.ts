/** Finds how the picture of a camera has to be turned for its faces to be upright. */

const TURNS = [0, 90, 180, 270] as const

/** Degrees clockwise. */
export type Turn = (typeof TURNS)[number]

/** Faces that count, and the least number and share of them that decide. */
const COUNTED_FACES = 30
const LEAST_FACES = 10
const LEAST_SHARE = 0.8

/** Quality below which the landmarks of a face say little, 0..1. */
const CLEAR_QUALITY = 0.1

export function openTilt() {
  let needed: Turn[] = []
  return {
    /** Takes the faces of a frame. `roll` is positive for a face that is turned clockwise, in degrees. */
    see(faces: readonly { readonly roll: number; readonly quality: number }[]) {
      const clear = faces.filter(({ quality }) => quality >= CLEAR_QUALITY)
      const turns = clear.map(({ roll }) => TURNS[(Math.round(-roll / 90) + 4) % 4]!)
      needed = [...needed, ...turns].slice(-COUNTED_FACES)
    },
    /** The turn that most faces need; 0 also while few were seen. */
    needed: () =>
      TURNS.find(turn => {
        const count = needed.filter(one => one === turn).length
        return needed.length >= LEAST_FACES && count >= LEAST_SHARE * needed.length
      }) ?? 0,
    /** Forgets the faces: the picture is turned from now on. */
    reset() {
      needed = []
    },
  }
}

/** The turn of two turns. */
export const addTurns = (first: Turn, second: Turn): Turn => ((first + second) % 360) as Turn
