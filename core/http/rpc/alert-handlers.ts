/** The handlers of the RPC operations on alert rules and their deliveries. */
import type { ALERT_OPERATIONS } from '../../../contract/rpc/alert-operations.ts'
import type { RpcRequest, RpcResponse } from '../../../contract/rpc/operations.ts'
import {
  changeAlert,
  createAlert,
  deleteAlert,
  getAlert,
  listAlerts,
  rotateAlertSecret,
} from '../../operations/alerts/alerts.ts'
import { listDeliveries, retryDelivery, testAlert } from '../../operations/alerts/deliveries.ts'
import type { Services } from '../../operations/services.ts'

type AlertHandlers = {
  [V in keyof typeof ALERT_OPERATIONS]: (question: RpcRequest<V>) => Promise<{ answer: RpcResponse<V> }>
}

export function alertHandlers(services: Services): AlertHandlers {
  return {
    'alert.create': async question => ({ answer: await createAlert(services, question) }),
    'alert.get': async question => ({ answer: await getAlert(services, question) }),
    'alerts.list': async question => ({ answer: await listAlerts(services, question) }),
    'alert.update': async question => ({ answer: await changeAlert(services, question) }),
    'alert.delete': async question => ({ answer: await deleteAlert(services, question) }),
    'alert.secret': async question => ({ answer: await rotateAlertSecret(services, question) }),
    'alert.test': async question => ({ answer: await testAlert(services, question) }),
    'deliveries.page': async question => ({ answer: await listDeliveries(services, question) }),
    'delivery.retry': async question => ({ answer: await retryDelivery(services, question) }),
  }
}
