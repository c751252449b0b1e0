/** Metric of the deliveries of webhooks. */
import { Counter, type Registry } from 'prom-client'

/** Returns a function that counts an attempt. */
export function deliveryMetric(registry: Registry): (outcome: string) => void {
  const attempts = new Counter({
    name: 'mien_webhook_attempts_total',
    help: 'Attempts to deliver messages of alert rules, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return outcome => attempts.inc({ outcome })
}
