/** The service as a context of all pages. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Service } from './service.ts'

export const ServiceContext = createContext<Service | undefined>(undefined)

/** The service. Throws outside a signed-in page. */
export function useService(): Service {
  const service = useContext(ServiceContext)
  if (!service) throw new Error('No service outside a signed-in page.')
  return service
}
