/** Raises each alert once, and lists alerts. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Alert } from "../../engine/observability/alerts/Alert.ts"
import type { AlertClaim } from "../../engine/observability/alerts/AlertStore.ts"
import type { Actor } from "../../values/Actor.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { CursorPage, CursorRequest } from "../../values/pages/CursorPage.ts"

/** An alert before it is raised. */
export type NewAlert = Omit<Alert, "created_at" | "id">

/** Alerts of accounts. */
export class Alerts extends Context.Service<
  Alerts,
  {
    /**
     * Raises the alert unless its claim is taken. The claim, the alert and what is queued for its receivers are one transaction,
     * so a crash loses or repeats none of them. False if the claim was taken before, by this or another process.
     */
    readonly raise: (claim: AlertClaim, alert: NewAlert) => Effect.Effect<boolean>
    /** Releases the claim and reports its end; false if there was no claim, or another process has released it. */
    readonly resolve: (key: string, alert: NewAlert) => Effect.Effect<boolean>
    /** The account's alerts, the latest first; `workspace` is an id or a slug. */
    readonly list: (
      actor: Actor,
      workspace: string | undefined,
      cursor: CursorRequest
    ) => Effect.Effect<CursorPage<Alert>, ResourceNotFound>
  }
>()("@signalbox/core/domains/alerts/Alerts") {
  static readonly layer = layerOnDemand(
    Alerts,
    { raise: "call", resolve: "call", list: "call" },
    importNamed(() => import("./layerAlerts.ts"), "layerAlerts")
  )
}
