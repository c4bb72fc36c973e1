/** Reads and changes the restrictions of accounts; the audit log records every change. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Audit, findChangedTarget } from "../../engine/observability/audit/Audit.ts"
import type { Actor } from "../../values/Actor.ts"
import {
  type AccountPatch,
  type AccountSettings,
  applyPatch,
  toAccountSettings
} from "./AccountSettings.ts"
import { AccountStore } from "./AccountStore.ts"

/** Reads and changes the restrictions of accounts. */
export class Accounts extends Context.Service<
  Accounts,
  {
    readonly getSettings: (actor: Actor) => Effect.Effect<AccountSettings>
    /** Applies to every request planned from then on. */
    readonly update: (actor: Actor, patch: AccountPatch) => Effect.Effect<AccountSettings>
  }
>()("@signalbox/core/tenants/accounts/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const audit = yield* Audit
      const store = yield* AccountStore
      return {
        getSettings: ({ account }) => Effect.map(store.get(account), toAccountSettings),
        update: (actor, patch) =>
          audit.change(
            actor,
            "account.update",
            Effect.gen(function* () {
              let before: AccountSettings | undefined
              const after = toAccountSettings(
                yield* store.update(actor.account, (account) => {
                  before = toAccountSettings(account)
                  return applyPatch(account, patch)
                })
              )
              const target = findChangedTarget(actor.account, before, after)
              return { result: after, target, before, after }
            })
          )
      }
    })
  )
}
