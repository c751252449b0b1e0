/** Messages between the tabs of the console that show the data of one owner. */
import { useEffect, useRef } from 'preact/hooks'
import { useToken } from './session.ts'

/** Calls `receive` with the messages of the other tabs on this topic. Returns a function that sends one to them. */
export function useTabs<T>(topic: string, receive: (message: T) => void): (message: T) => void {
  const { owner } = useToken()
  const channel = useRef<BroadcastChannel>(undefined)
  const receiver = useRef(receive)
  receiver.current = receive
  useEffect(() => {
    const opened = new BroadcastChannel(`mien ${topic} ${owner}`)
    opened.onmessage = ({ data }) => receiver.current(data)
    channel.current = opened
    return () => opened.close()
  }, [topic, owner])
  return message => channel.current?.postMessage(message)
}
