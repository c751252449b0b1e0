/** The tasks of core that run beside requests. */
import manifest from '../package.json' with { type: 'json' }
import type { Configuration } from './configuration/environment.ts'
import { type Log, traceOf } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { storeTokenUsageRepeatedly } from './operations/access/token-usage.ts'
import { alertRepeatedly } from './operations/alerts/alert-repeatedly.ts'
import { messagePoster } from './operations/alerts/deliver.ts'
import { auditRepeatedly, failedAuthentications } from './operations/audit-log/audit-log.ts'
import { deletePicturesRepeatedly } from './operations/cameras/camera-leases.ts'
import { reconcileRepeatedly } from './operations/consistency/reconcile.ts'
import { groupRepeatedly } from './operations/persons/group.ts'
import { measureRepeatedly } from './operations/search/judgement/measure-galleries.ts'
import { askForReleaseRepeatedly } from './operations/service/later-version.ts'
import { expireRepeatedly } from './operations/service/retention.ts'
import type { LiveSettings } from './operations/service/settings.ts'
import type { Services } from './operations/services.ts'

/** Starts the tasks. */
export function startTasks(
  services: Services,
  {
    webhookHosts,
    onDelivery,
    settings,
  }: {
    webhookHosts: Configuration['webhookHosts']
    onDelivery: Metrics['delivery']
    settings: LiveSettings
  },
  log: Log,
) {
  const reconciling = reconcileRepeatedly(services, {
    done: pass => {
      if (Object.values(pass).some(count => count > 0)) log('reconciled', { ...pass })
    },
    failed: error => log('not reconciled', traceOf(error)),
  })
  const storingUsage = storeTokenUsageRepeatedly(services, error =>
    log('uses of tokens not written', traceOf(error)),
  )
  const expiring = expireRepeatedly(services, {
    done: faces => {
      if (faces > 0) log('expired faces deleted', { faces })
    },
    failed: error => log('retention failed', traceOf(error)),
  })
  const alerting = alertRepeatedly(services, {
    post: messagePoster({ trustedHosts: webhookHosts }),
    done: onDelivery,
    failed: error => log('alerts failed', traceOf(error)),
  })
  const measuring = measureRepeatedly(services, {
    done: galleries => {
      if (galleries > 0) log('galleries measured', { galleries })
    },
    failed: error => log('galleries not measured', traceOf(error)),
  })
  const grouping = groupRepeatedly(services, error => log('grouping failed', traceOf(error)))
  const following = settings.follow(error => log('settings not read', traceOf(error)))
  const deletingPictures = deletePicturesRepeatedly(services, error =>
    log('pictures not deleted', traceOf(error)),
  )
  const question = { url: services.options.update_url, version: manifest.version }
  const release = askForReleaseRepeatedly(question, error => log('release not known', traceOf(error)))
  const refused = failedAuthentications(services)
  const auditing = auditRepeatedly(services, refused, {
    head: link => log('audit', { ...link }),
    failed: error => log('audit failed', traceOf(error)),
  })
  return {
    refused,
    laterVersion: release.laterVersion,
    async stop() {
      const tasks = [reconciling, storingUsage, expiring, alerting, measuring, grouping, following]
      await Promise.all([...tasks, deletingPictures, release].map(task => task.stop()))
    },
    /** Stops the last task, and writes its remaining counts. */
    async stopAuditing() {
      await auditing.stop()
      await refused.insertEntries().catch(() => {})
    },
  }
}
