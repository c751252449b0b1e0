/** An authenticator in software: makes a passkey and signs challenges, as a browser does for a person who confirms. */
import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (bytes: string | Buffer) => hash('sha256', bytes, 'buffer')

/** Flags of the authenticator's data: the person is present and verified; a new key is attached. */
const VERIFIED = 0x05
const ATTACHED = 0x40

/** A passkey for pages of this origin. A test can give it the id of another passkey. */
export function authenticator(origin: string, id: Buffer = randomBytes(16)) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  // A COSE key of the algorithm ES256 (RFC 9053).
  const key = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]),
  )
  const host = sha256(new URL(origin).hostname)
  const dataWith = (flags: number, ...rest: Uint8Array[]) =>
    Buffer.concat([host, Buffer.from([flags, 0, 0, 0, 0]), ...rest])
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }))
  const credential = (response: Record<string, Uint8Array>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64url')]),
    ),
    clientExtensionResults: {},
  })
  return {
    id: id.toString('base64url'),
    /** The answer to the options of an invitation. */
    create(challenge: string) {
      const attached = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const object = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(dataWith(VERIFIED | ATTACHED, attached))],
      ])
      const attestationObject = isoCBOR.encode(object)
      return credential({ clientDataJSON: clientData('create', challenge), attestationObject })
    },
    /** The answer to the options of a sign-in. */
    get(challenge: string) {
      const [clientDataJSON, authenticatorData] = [clientData('get', challenge), dataWith(VERIFIED)]
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      return credential({ clientDataJSON, authenticatorData, signature: sign('sha256', signed, privateKey) })
    },
  }
}
