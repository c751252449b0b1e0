/** A data folder records the place of its pictures, and refuses a change that would lose pictures. */
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { openPictures, PLACE_FILE, picturesOf } from '#core/pictures/open.ts'
import { temporaryFolder } from '../folder.ts'
import { face, namesIn } from './picture-store.suite.ts'

/** A bucket that does not answer. Opening does not require an answer. */
const UNREACHABLE = 's3://faces/site?endpoint=http://127.0.0.1:9'
const KEYS = { accessKeyId: 'an-id', secretAccessKey: 'a-secret' }
const settings = { pictures: UNREACHABLE, bucketKeys: KEYS }

let data = ''
beforeEach(async () => {
  data = await temporaryFolder()
})

const open = async (given: Parameters<typeof openPictures>[1]) => (await openPictures(data, given)).close()

describe('openPictures', () => {
  it('stores pictures in the data folder by default', async () => {
    const pictures = await openPictures(data)
    await pictures.write([face(1)])
    expect(await namesIn(await picturesOf(data))).toHaveLength(2)
    expect(await namesIn(await openPictures(data))).toHaveLength(2)
  })

  it('keeps the bucket of the first start when later starts and commands name none', async () => {
    await open(settings)
    expect(JSON.parse(await readFile(join(data, PLACE_FILE), 'utf8'))).toEqual({
      version: 1,
      address: UNREACHABLE,
    })
    for (const given of [{}, { bucketKeys: undefined }]) {
      await expect(openPictures(data, given)).rejects.toThrow('MIEN_S3_SECRET_ACCESS_KEY are missing')
      await expect(picturesOf(data, given)).rejects.toThrow('MIEN_S3_SECRET_ACCESS_KEY are missing')
    }
    await expect(
      (await picturesOf(data, { bucketKeys: KEYS })).list()[Symbol.asyncIterator]().next(),
    ).rejects.toThrow('The bucket of the pictures is away.')
  })

  it('accepts other settings of the same bucket, and refuses another bucket or prefix', async () => {
    await open(settings)
    const elsewhere = UNREACHABLE.replace('/site', '/other')
    await expect(openPictures(data, { ...settings, pictures: elsewhere })).rejects.toThrow(
      'The pictures are in the bucket at http://127.0.0.1:9/faces/site/',
    )
    const otherwise = `${UNREACHABLE}&region=auto`
    await open({ ...settings, pictures: otherwise })
    expect(JSON.parse(await readFile(join(data, PLACE_FILE), 'utf8')).address).toBe(otherwise)
  })

  it('refuses a bucket while the folder holds pictures', async () => {
    const pictures = await openPictures(data)
    await open(settings).catch(error => expect.fail(String(error)))
    await rename(join(data, PLACE_FILE), join(data, 'away'))
    await pictures.write([face(1)])
    await expect(openPictures(data, settings)).rejects.toThrow(`${join(data, 'pictures')} holds pictures`)
    await expect(picturesOf(data, settings)).rejects.toThrow(`${join(data, 'pictures')} holds pictures`)
  })
})
