/** Packs that a release holds: their files come from the data folder or a server, with licence texts. */
import { hash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { holdPack } from '#commands/development/release/release.ts'
import { type PlacedPack, packNamed, STANDARD_PACK } from '#models/packs.ts'
import { listen } from '#test/support/processes.ts'
import { temporaryFolder } from '../../../core/folder.ts'

const FILE = 'face_detection_yunet_2023mar.onnx'
const BYTES = randomBytes(1_000)

/** The pack yunet with another file, which this server has. */
async function yunetFrom(url: string): Promise<PlacedPack> {
  const yunet = await packNamed(await temporaryFolder(), 'yunet')
  const sha256 = hash('sha256', BYTES)
  return { ...yunet, files: { [FILE]: { ...yunet.files[FILE]!, url, sha256, bytes: BYTES.length } } }
}

it('a release gets the files of a pack from the data folder or a server, verified, with the licence text', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  const server = createServer((_, response) => response.end(BYTES))
  onTestFinished(() => void server.close())
  const pack = await yunetFrom(`http://127.0.0.1:${await listen(server)}/${FILE}`)
  const [downloaded, copied] = [await temporaryFolder(), await temporaryFolder()]
  await holdPack(pack, downloaded)
  server.close()
  const { path } = pack.files[FILE]!
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, BYTES)
  await holdPack(pack, copied)
  for (const folder of [downloaded, copied]) {
    expect((await readdir(folder)).sort()).toEqual([FILE, `${FILE}.txt`])
    expect(BYTES.equals(await readFile(join(folder, FILE)))).toBe(true)
    expect(await readFile(join(folder, `${FILE}.txt`), 'utf8')).toContain('Shiqi Yu')
  }
})

it('a release holds no pack without a download, and no file without a licence text', async () => {
  const folder = await temporaryFolder()
  await expect(holdPack(STANDARD_PACK, folder)).rejects.toThrow('has no file that is downloaded')
  await expect(holdPack(await packNamed(folder, 'opencv'), folder)).rejects.toThrow('has no text for it')
})
