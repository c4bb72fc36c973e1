/** The operations of the HTTP API that the console forwards beside those of `actionGroups.ts`; everything else is refused. */
import type { OperationId } from "@signalbox/core/adapter"

/** Operations that change nothing. */
export const readOperations: ReadonlySet<string> = new Set<OperationId>([
  "account.get",
  "alertRules.list",
  "alerts.list",
  "audit.list",
  "budgets.list",
  "byok.list",
  "byok.listStates",
  "calibration.get",
  "credits.get",
  "customers.get",
  "customers.list",
  "customers.usage",
  "deliveries.get",
  "deliveries.list",
  "experiments.list",
  "failedRequests.list",
  "generations.get",
  "generations.getRecord",
  "generations.listFeedback",
  "generations.list",
  "guardrails.list",
  "guardrails.listAllKeyAssignments",
  "guardrails.listAllMemberAssignments",
  "guardrails.listKeyAssignments",
  "guardrails.listMemberAssignments",
  "incidents.list",
  "interns.get",
  "interns.list",
  "keys.get",
  "keys.list",
  "limits.getPeriods",
  "limits.list",
  "live.listEndpoints",
  "live.listModels",
  "live.listProcesses",
  "live.listProviders",
  "live.watchEndpoints",
  "models.getById",
  "models.list",
  "organization.listMembers",
  "presets.get",
  "presets.list",
  "presets.listVersions",
  "reports.health",
  "reports.listDeadSteps",
  "reports.plan",
  "providers.list",
  "savedViews.list",
  "series.exportSpend",
  "series.forecast",
  "series.get",
  "sessions.list",
  "traffic.listControls",
  "traffic.previewControl",
  "videos.list",
  "webhooks.get",
  "webhooks.listSecrets",
  "workspaces.list",
  "workspaces.listBudgets",
  "workspaces.listMembers"
])

/** Operations that need `showContent`: they read what users said, and what they were answered. */
export const contentOperations: ReadonlySet<string> = new Set<OperationId>([
  "generations.getContent",
  "generations.previewReplay"
])

/** Operations of `actionGroups.ts` that need `showContent` besides. */
export const contentActions: ReadonlySet<string> = new Set<OperationId>(["generations.replay"])
