/** Tests the networks of a pack: each is run on a blank picture, and its outputs must match the manifest. */
import { openSession } from '../../core/embedding/chip-pool.ts'
import { readNumbers } from '../../core/embedding/embed-batch.ts'
import { inputLength } from '../../models/input.ts'
import {
  type DetectorModel,
  embedderSide,
  type ModelInput,
  type Pack,
  type ReadModel,
} from '../../models/manifest.ts'
import { ONET_SIDE } from '../../wasm/detectors/mtcnn/onet.ts'

/** Side in pixels of the test picture for detectors that accept any size. */
const TRIAL_SIDE = 256

/** A test of a network: its file, its input, and the expected length of each output. */
interface Trial {
  file: string
  input: ModelInput
  side: number
  pictures: number
  lengths: Record<string, number>
  /** False: the network must run in WASM, as at the edge. */
  native: boolean
}

/** Tests all networks. Throws an Error for the operator that names the file with the wrong network. */
export async function tryNetworks(pack: Pack, read: ReadModel): Promise<void> {
  await readNumbers(pack.embedder, read)
  for (const trial of trialsOf(pack)) {
    await tryOut(trial, read).catch(cause => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`${trial.file} is not the network that the manifest describes: ${reason}`, { cause })
    })
  }
}

function trialsOf({ detector, landmarks, embedder, attributes }: Pack): Trial[] {
  const { ageGender, emotion } = attributes
  const one = { pictures: 1, native: true }
  return [
    { ...one, native: false, ...detector, ...detectorTrial(detector) },
    { ...one, native: false, ...landmarks, side: ONET_SIDE, lengths: { scores: 1, boxes: 4, points: 10 } },
    ...embedder.networks.flatMap(network =>
      // Networks that accept batches are also tested with two pictures.
      [1, ...(network.single ? [] : [2])].map(pictures => ({
        ...{ ...one, ...network, pictures, side: embedderSide(embedder.chip) },
        lengths: { [network.output]: pictures * network.dimension },
      })),
    ),
    {
      ...one,
      ...ageGender,
      side: ageGender.size,
      lengths: { [ageGender.outputs.age]: 1, [ageGender.outputs.gender]: ageGender.genders.length },
    },
    { ...one, ...emotion, side: emotion.size, lengths: { [emotion.output]: emotion.emotions.length } },
  ]
}

function detectorTrial(detector: DetectorModel): Pick<Trial, 'side' | 'lengths'> {
  if (detector.kind === 'blazeface') return { side: TRIAL_SIDE, lengths: {} }
  const side = detector.fixed ? detector.side : TRIAL_SIDE
  const heads = Object.entries({ cls: 1, obj: 1, bbox: 4, kps: 10 })
  const lengths = [8, 16, 32].flatMap(stride =>
    heads.map(([head, values]) => [`${head}_${stride}`, values * (side / stride) ** 2] as const),
  )
  return { side, lengths: Object.fromEntries(lengths) }
}

async function tryOut(
  { file, input, side, pictures, lengths, native }: Trial,
  read: ReadModel,
): Promise<void> {
  const session = await openSession(await read(file), { native })
  const data = new Float32Array(pictures * inputLength(side, side)).fill(0.5)
  const outputs = await session.run({ [input.name]: { data, dims: [pictures, 3, side, side] } })
  for (const [name, length] of Object.entries(lengths)) {
    const output = outputs[name]
    if (!output) throw new Error(`it has no output "${name}", but ${Object.keys(outputs).join(', ')}.`)
    if (output.length !== length)
      throw new Error(`its output "${name}" has ${output.length} numbers, not ${length}.`)
    if (!output.every(Number.isFinite)) throw new Error(`its output "${name}" has numbers without an end.`)
  }
}
