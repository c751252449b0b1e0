/** Runs O-Net on a ramp of numbers and answers with what it gives, as JSON. */
import model from '#models/built/onet.onnx'
import { openRuntime } from '#wasm/runtime/runtime.workerd.ts'

const SIZE = 3 * 48 * 48

let session

export default {
  async fetch() {
    const runtime = await openRuntime()
    session ??= await runtime.session(new Uint8Array(model))
    const data = Float32Array.from({ length: SIZE }, (_, i) => (i % 255) / 255 - 0.5)
    const { points } = await session.run({ input: { data, dims: [1, 3, 48, 48] } })
    return Response.json([...points])
  },
}
