/** Why a connection to the broker failed, in words that contain no address and no password. */

/** Reasons, with advice for the operator. */
const ADVICE = {
  'access denied': 'Check the user, the password and the access rules of the broker.',
  'connection refused': 'No broker listens there. Check the address and the port.',
  'unknown host': 'The name of the broker has no address.',
  unreachable: 'The network does not lead to the broker.',
  timeout: 'The broker does not answer. Check the address, the port and firewalls.',
  'unknown certificate': 'Name the certificate authority of the broker with --broker-ca.',
  'expired certificate': 'Renew the certificate of the broker.',
  'wrong certificate': 'The certificate is for another host name than the URL.',
  'no TLS': 'The broker has ended the connection before TLS was set up. Check that this port uses TLS.',
  'too large': 'The broker limits the size of messages. Raise its limit.',
  'old protocol': 'The broker must understand MQTT 5.',
  'connection lost':
    'The broker has ended the connection, as it does when another bridge has the same base topic.',
} as const

type FailureReason = keyof typeof ADVICE

export class BrokerFailure extends Error {
  override readonly name = 'BrokerFailure'
  readonly reason: FailureReason

  constructor(reason: FailureReason, options?: ErrorOptions) {
    super(`${reason}: ${ADVICE[reason]}`, options)
    this.reason = reason
  }

  get advice(): string {
    return ADVICE[this.reason]
  }
}

/** Codes of Node.js and OpenSSL, and reason codes of MQTT 5 (section 2.4 of the standard). */
const REASONS: Readonly<Record<string, FailureReason>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unknown certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown certificate',
  CERT_HAS_EXPIRED: 'expired certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no TLS',
  1: 'old protocol',
  132: 'old protocol',
  134: 'access denied',
  135: 'access denied',
  149: 'too large',
}

/** The failure that an error of the MQTT client stands for. */
export function failureOf(error: unknown): BrokerFailure {
  if (error instanceof BrokerFailure) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isTimeout = error instanceof Error && /timeout/i.test(error.message)
  return new BrokerFailure(REASONS[code] ?? (isTimeout ? 'timeout' : 'connection lost'), { cause: error })
}
