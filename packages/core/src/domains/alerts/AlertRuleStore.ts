/** Stores alert rules. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OwnedStore } from "../../instance/OwnedStore.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { AlertRule } from "./AlertRule.ts"

/** Stores alert rules. */
export class AlertRuleStore extends Context.Service<
  AlertRuleStore,
  OwnedStore<AlertRule> & {
    /** The rules of all workspaces of an account, oldest first. */
    readonly listAll: (account: AccountId) => Effect.Effect<ReadonlyArray<AlertRule>>
  }
>()("@signalbox/core/domains/alerts/AlertRuleStore") {}
