/** Recognizes loopback addresses and host names. */

const LOOPBACK_ADDRESS = /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/

/** Whether this is a loopback address, in the notation of sockets. */
export const isLoopbackAddress = (address: string): boolean => LOOPBACK_ADDRESS.test(address)

/** Whether a server on this host name or address is reachable only from its own machine. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'))
