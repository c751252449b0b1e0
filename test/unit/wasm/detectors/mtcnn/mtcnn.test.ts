/** The candidates of MTCNN are bounded before they are compared with each other. */
import { STANDARD } from '#models/manifest.ts'
import { openMtcnn } from '#wasm/detectors/mtcnn/mtcnn.ts'
import { photoOfRaster } from '#wasm/imaging/orientation.ts'
import type { Runtime } from '#wasm/runtime/runtime.ts'

/** Networks that see a small face in every cell. */
const EAGER: Runtime = {
  session: async () => ({
    async run(inputs) {
      const [count = 1, , height = 1, width = 1] = Object.values(inputs)[0]!.dims
      const cells = height > 24 ? (height / 2 - 5) * (width / 2 - 5) : count
      const boxes = Float32Array.from({ length: 4 * cells }, (_, i) => (i < 2 * cells ? 0.45 : -0.45))
      return { scores: new Float32Array(cells).fill(5), boxes }
    },
    release: async () => {},
  }),
}

it('openMtcnn keeps the thousand surest candidates of a photo that is full of them', async () => {
  const judge = async () => []
  const mtcnn = await openMtcnn(
    EAGER,
    async () => new Uint8Array(),
    STANDARD.detector.kind === 'blazeface' ? STANDARD.detector.mtcnn : expect.unreachable(),
    { judge, judgeTurned: judge, find: judge },
    { leastFace: 45, pixels: 300_000 },
  )
  const photo = photoOfRaster({ data: new Uint8Array(600 * 450 * 3), width: 600, height: 450 })
  const candidates: number[] = []
  const { limited } = await mtcnn.find(photo, ({ score }) => candidates.push(score) < 0)
  expect(candidates).toHaveLength(1_000)
  expect(limited).toBe(true)
})
