/** The operations of the HTTP API that the console forwards; everything else is refused. */
import type { OperationId } from "@signalbox/core/adapter"

/** Operations that change nothing. */
export const readOperations: ReadonlySet<string> = new Set<OperationId>([
  "account.get",
  "alertRules.list",
  "alerts.list",
  "audit.list",
  "budgets.list",
  "credits.get",
  "customers.get",
  "customers.list",
  "deliveries.get",
  "deliveries.list",
  "failedRequests.list",
  "generations.get",
  "generations.getRecord",
  "generations.listFeedback",
  "generations.list",
  "guardrails.list",
  "interns.get",
  "interns.list",
  "keys.get",
  "keys.list",
  "limits.getPeriods",
  "limits.list",
  "live.listEndpoints",
  "live.watchEndpoints",
  "models.list",
  "organization.listMembers",
  "presets.get",
  "presets.list",
  "presets.listVersions",
  "reports.health",
  "reports.listDeadSteps",
  "reports.plan",
  "series.get",
  "videos.list",
  "workspaces.list",
  "workspaces.listBudgets"
])

/** Operations that need `showContent`: they read what users said, and what they were answered. */
export const contentOperations: ReadonlySet<string> = new Set<OperationId>([
  "generations.getContent"
])

/** Operations that need `allowActions`; `restrictBody` says what they may do. */
export const actionOperations: ReadonlySet<string> = new Set<OperationId>([
  "deliveries.redeliver",
  "interns.provision",
  "interns.suspend",
  "keys.update",
  "videos.cancel"
])
