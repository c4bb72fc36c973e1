/** What a host may let operators change: each group names operations of the contract. */
import type { OperationId } from "@signalbox/core/adapter"

const groups = {
  /** Issues keys that run models, which spends. Secrets of management keys stay out of reach. */
  keys: ["keys.create", "keys.update", "keys.delete", "keys.rotate", "keys.setRateLimit"],
  /** Whether a key is disabled, and nothing else of it. */
  disableKeys: ["keys.update"],
  budgets: [
    "budgets.create",
    "budgets.update",
    "budgets.delete",
    "workspaces.setBudget",
    "workspaces.deleteBudget"
  ],
  guardrails: [
    "guardrails.create",
    "guardrails.update",
    "guardrails.delete",
    "guardrails.assignKeys",
    "guardrails.unassignKeys",
    "guardrails.assignMembers",
    "guardrails.unassignMembers"
  ],
  customers: [
    "customers.create",
    "customers.update",
    "customers.suspend",
    "customers.resume",
    "customers.delete"
  ],
  byok: ["byok.create", "byok.update", "byok.delete", "byok.reorder"],
  webhooks: [
    "webhooks.set",
    "webhooks.delete",
    "webhooks.test",
    "webhooks.createSecret",
    "webhooks.deleteSecret"
  ],
  members: ["workspaces.addMembers", "workspaces.removeMembers"],
  traffic: ["traffic.setControl"],
  experiments: ["experiments.restart", "experiments.stop"],
  videos: ["videos.cancel"],
  interns: ["interns.provision", "interns.suspend"],
  deliveries: ["deliveries.redeliver"],
  views: ["savedViews.create", "savedViews.delete"],
  /** Runs models, which spends. */
  playground: ["chat.complete", "decisions.createUnderBase"],
  /** Runs requests of others again, which spends; needs `showContent`, because the answers say what they were asked. */
  replay: ["generations.replay"]
} as const satisfies Readonly<Record<string, ReadonlyArray<OperationId>>>

/** A group of operations that a console may allow. */
export type ActionGroup = keyof typeof groups

// Safe: its keys are the groups.
const groupNames = Object.keys(groups) as ReadonlyArray<ActionGroup>

/** What `allowActions: true` stands for. */
const formerActions: ReadonlyArray<ActionGroup> = ["deliveries", "disableKeys", "interns", "videos"]

/** The groups with an operation; none for one that the console never forwards as an action. */
export const findGroups = (operation: string): ReadonlyArray<ActionGroup> =>
  groupNames.filter((name) => groups[name].some((each) => each === operation))

/** Hosts may use plain JavaScript. Throws a `RangeError` that says what is allowed. */
export const parseAllow = ({
  allow,
  allowActions
}: {
  readonly allow?: unknown
  readonly allowActions?: boolean
}): ReadonlySet<ActionGroup> => {
  if (allow === undefined) return new Set(allowActions === true ? formerActions : [])
  if (allowActions !== undefined) {
    throw new RangeError(
      "consoleRoutes: pass allow or allowActions, which is an older way to say it"
    )
  }
  const allowed = groupNames.join(", ")
  if (!Array.isArray(allow)) {
    throw new RangeError(`consoleRoutes: allow must be an array of ${allowed}`)
  }
  return new Set(
    allow.map((name: unknown) => {
      const group = groupNames.find((each) => each === name)
      if (group !== undefined) return group
      throw new RangeError(
        `consoleRoutes: allow has ${JSON.stringify(name)}, which is no group; there are ${allowed}`
      )
    })
  )
}
