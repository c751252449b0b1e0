/** Options that several commands of the service take. */
import { Option } from 'commander'

export const workersOption = (): Option =>
  new Option('--edge-workers <N>', 'edge processes (default: processors - 1, at least 1)').env(
    'MIEN_EDGE_WORKERS',
  )

export const proxiesOption = (): Option =>
  new Option(
    '--trusted-proxies <LIST>',
    'proxies whose X-Forwarded-Proto and X-Forwarded-Host count: addresses, CIDR blocks or "loopback" (default: none)',
  ).env('MIEN_TRUSTED_PROXIES')

export const configOption = (): Option =>
  new Option('--config <FILE>', 'API configuration (default: facenapi.ini in the data folder)').env(
    'MIEN_CONFIG',
  )
