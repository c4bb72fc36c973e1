/** Takes events, keeps what becomes of them, and sends them again when somebody asks for it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { Audit } from "../observability/Audit.ts"
import { AccountId } from "../values/ids/AccountId.ts"
import type { Actor } from "../values/Actor.ts"
import { ResourceNotFound } from "../values/errors/RequestErrors.ts"
import type { CursorRequest, CursorPage } from "../values/pages/CursorPage.ts"
import { WebhookStore } from "../workspaces/WebhookStore.ts"
import { CurrentWorkspaceDefaults } from "../workspaces/WorkspaceDefaults.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import type { Delivery } from "./Delivery.ts"
import { type DeliveryFilter, DeliveryStore } from "./DeliveryStore.ts"
import { makeAttemptStep, makeDeliveryJobKind } from "./DeliveryStep.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"

/** Offers events to webhooks, and tells what became of them. */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /**
     * Belongs to the atomic effect around it: delivered if that is kept, forgotten if it is undone. False
     * when there is nobody to tell, or the event was offered before. Dies when the id is none.
     */
    readonly offer: (event: WebhookEvent) => Effect.Effect<boolean>
    /** Of an account, the latest first; `workspace` is an id or a slug. */
    readonly list: (
      actor: Actor,
      filter: DeliveryFilter,
      scroll: CursorRequest
    ) => Effect.Effect<CursorPage<Delivery>, ResourceNotFound>
    /** Another account's is as missing as an unknown one. */
    readonly find: (actor: Actor, id: string) => Effect.Effect<Delivery, ResourceNotFound>
    /** Begins the schedule anew, at once, whatever became of it; one that is due already is left as it is. */
    readonly redeliver: (actor: Actor, id: string) => Effect.Effect<Delivery, ResourceNotFound>
  }
>()("@signalbox/core/webhooks/Deliveries") {
  static readonly layer: Layer.Layer<
    Deliveries,
    never,
    Audit | DeliveryStore | DurableJobs | WebhookStore | Workspaces
  > = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const audit = yield* Audit
      const defaults = yield* CurrentWorkspaceDefaults
      const jobs = yield* DurableJobs
      const kind = yield* makeDeliveryJobKind
      const store = yield* DeliveryStore
      const webhooks = yield* WebhookStore
      const workspaces = yield* Workspaces

      const find = Effect.fnUntraced(function* ({ account }: Actor, id: string) {
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
            return yield* Effect.die(new RangeError(`no id of an event: ${id}`))
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
        list: Effect.fnUntraced(function* (actor, { workspace, ...filter }, scroll) {
          const resolvedFilter =
            workspace === undefined
              ? filter
              : { ...filter, workspace: (yield* workspaces.find(actor, workspace)).id }
          return yield* store.list(actor.account, resolvedFilter, scroll)
        }),
        find,
        redeliver: (actor, id) =>
          audit.change(
            actor,
            "delivery.redeliver",
            Effect.gen(function* () {
              const before = yield* find(actor, id)
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
              // Somebody else was quicker: it is on its way.
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
}

const eventIdPattern = /^[\w-]{1,200}$/
