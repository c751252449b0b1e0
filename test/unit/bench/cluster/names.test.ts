/** The name server of the game day. */

import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { answerTo } from '#bench/lib/cluster/network-faults.ts'

/** A resolver that asks a server with these addresses. */
async function resolverOf(addresses: ReadonlyMap<string, string>): Promise<Resolver> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  socket.on('message', (question, { port, address }) =>
    socket.send(answerTo(question, addresses), port, address),
  )
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return resolver
}

const HOSTS = new Map([['core1.mien.test', '198.18.9.5']])

it('answers the address of a known host', async () => {
  const resolver = await resolverOf(HOSTS)
  expect(await resolver.resolve4('core1.mien.test')).toEqual(['198.18.9.5'])
})

it('answers that a known host has no address of version 6', async () => {
  const resolver = await resolverOf(HOSTS)
  await expect(resolver.resolve6('core1.mien.test')).rejects.toMatchObject({ code: 'ENODATA' })
})

it('answers that another host does not exist', async () => {
  const resolver = await resolverOf(HOSTS)
  await expect(resolver.resolve4('core9.mien.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})
