/** Loopback: addresses and names by which a machine speaks to itself. */

const LOOPBACK_ADDRESS = /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/

/** Whether this is an address of the machine itself, as sockets name it. */
export const isLoopbackAddress = (address: string): boolean => LOOPBACK_ADDRESS.test(address)

/** Whether a server on this host, a name or an address, can be reached from its own machine alone. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'))
