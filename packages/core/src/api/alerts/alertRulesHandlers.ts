/** Handlers of the operations on alert rules. */
import { identity } from "effect/Function"
import { AlertRules } from "../../domains/alerts/AlertRules.ts"
import type { Handlers } from "../operation/Handler.ts"
import { resourceHandlers } from "../operation/resourceHandlers.ts"
import type { AlertRulesApi } from "./AlertRulesApi.ts"

export const alertRulesHandlers = AlertRules.useSync((rules): Handlers<typeof AlertRulesApi> =>
  resourceHandlers("id", rules, identity)
)
