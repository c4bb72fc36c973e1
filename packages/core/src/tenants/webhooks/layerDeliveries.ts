/** Accepts events for delivery, lists deliveries, and redelivers them on request. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { Settings } from "../../instance/Settings.ts"
import { DurableJobs } from "../../engine/jobs/DurableJobs.ts"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { AccountId } from "../../values/ids/Ids.ts"
import type { Actor } from "../../values/Actor.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { WebhookStore } from "../workspaces/WebhookStore.ts"
import { CurrentWorkspaceDefaults } from "../workspaces/WorkspaceDefaults.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import type { Delivery } from "./Delivery.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { makeAttemptStep, makeDeliveryJobKind } from "./DeliveryStep.ts"
import { Deliveries } from "./Deliveries.ts"

export const layerDeliveries = Layer.effect(
  Deliveries,
  Effect.gen(function* () {
    const audit = yield* Audit
    const defaults = yield* CurrentWorkspaceDefaults
    const jobs = yield* DurableJobs
    const kind = makeDeliveryJobKind(yield* Settings)
    const store = yield* DeliveryStore
    const webhooks = yield* WebhookStore
    const workspaces = yield* Workspaces

    const get = Effect.fnUntraced(function* ({ account }: Actor, id: string) {
      const found = yield* store.find(id)
      return found?.account === account
        ? found
        : yield* new ResourceNotFound({ resource: "delivery", id })
    })

    return {
      offer: Effect.fnUntraced(function* ({
        account: rawAccount,
        at,
        callbackUrl,
        data,
        id,
        type,
        workspace
      }) {
        if (!eventIdPattern.test(id))
          return yield* Effect.die(
            new RangeError(`Invalid event id ${id}: expected 1 to 200 letters, digits, "-" or "_"`)
          )
        const account = AccountId.make(rawAccount)
        const url =
          callbackUrl ??
          (yield* webhooks.find(account, workspace))?.callback_url ??
          defaults.callbackUrl
        if (url === undefined) return false
        const now = yield* Clock.currentTimeMillis
        const delivery: Delivery = {
          id,
          account,
          workspace,
          type,
          url,
          isWorkspaceUrl: callbackUrl === undefined,
          body: JSON.stringify({ type, created_at: new Date(at).toISOString(), data }),
          createdAt: now,
          state: "pending",
          version: 1,
          failures: 0,
          nextAttemptAt: now,
          attempts: []
        }
        if (!(yield* store.add(delivery))) return false
        yield* jobs.offer(kind, makeAttemptStep(delivery, now))
        return true
      }),
      list: Effect.fnUntraced(function* (actor, { workspace, ...filter }, cursor) {
        const resolvedFilter =
          workspace === undefined
            ? filter
            : { ...filter, workspace: (yield* workspaces.get(actor, workspace)).id }
        return yield* store.list(actor.account, resolvedFilter, cursor)
      }),
      get,
      redeliver: (actor, id) =>
        audit.change(
          actor,
          "delivery.redeliver",
          Effect.gen(function* () {
            const before = yield* get(actor, id)
            const now = yield* Clock.currentTimeMillis
            const unchanged = { result: before, target: undefined }
            if ((before.nextAttemptAt ?? Infinity) <= now) return unchanged
            const after: Delivery = {
              ...Struct.omit(before, ["endedAt"]),
              state: "pending",
              version: before.version + 1,
              failures: 0,
              nextAttemptAt: now
            }
            // A concurrent redelivery or attempt has scheduled it.
            if (!(yield* store.replace(before.version, after))) return unchanged
            yield* jobs.offer(kind, makeAttemptStep(after, now))
            return {
              result: after,
              target: id,
              before: { state: before.state },
              after: { state: after.state }
            }
          })
        )
    }
  })
)

const eventIdPattern = /^[\w-]{1,200}$/
