/** The whole service as one effect from request to response; it never fails. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { ApiKeys } from "../auth/ApiKeys.ts"
import type { Accounts } from "../accounts/Accounts.ts"
import type { Credentials } from "../byok/Credentials.ts"
import type { Catalog } from "../catalog/Catalog.ts"
import type { Chats } from "../chat/Chats.ts"
import type { Decisions } from "../decisions/Decisions.ts"
import type { Guardrails } from "../guardrails/Guardrails.ts"
import type { InternChats } from "../interns/InternChats.ts"
import { InternHosting } from "../interns/InternHost.ts"
import type { InternProgramme } from "../interns/InternProgramme.ts"
import type { Interns } from "../interns/Interns.ts"
import type { DurableJobs } from "../jobs/DurableJobs.ts"
import type { Listing } from "../listing/Listing.ts"
import type { Health } from "../health/Health.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { SpendCounters } from "../ledger/SpendCounters.ts"
import type { AuditLog } from "../observability/AuditLog.ts"
import type { Broadcast } from "../observability/Broadcast.ts"
import type { Generations } from "../observability/Generations.ts"
import type { IoLog } from "../observability/IoLog.ts"
import type { Metrics } from "../observability/Metrics.ts"
import type { Vaults } from "../vaults/Vaults.ts"
import type { Deliveries } from "../webhooks/Deliveries.ts"
import type { Videos } from "../videos/Videos.ts"
import type { Webhooks } from "../workspaces/Webhooks.ts"
import type { Workspaces } from "../workspaces/Workspaces.ts"
import type { Admission } from "./Admission.ts"
import { addressing } from "./addressing.ts"
import { Drain } from "./Drain.ts"
import { listed } from "./errors/listed.ts"
import { refusalOfCause } from "./errors/refusalOfCause.ts"
import { refuse } from "./errors/refuse.ts"
import { Inflating } from "./Inflating.ts"
import { Mount } from "./Mount.ts"
import { observeRequest } from "./observeRequest.ts"
import { openApiDocument } from "./openApiDocument.ts"
import { makeReferencePage } from "./referencePage.ts"
import { respondContract } from "./respondContract.ts"
import { respondProbe } from "./respondProbe.ts"
import { respondDecision } from "./respondDecision.ts"
import { unmatched } from "./unmatched.ts"

/** Answers a request that `match` says is ours. */
export class App extends Context.Service<
  App,
  {
    /** Answers every request; those that are not ours with 404. Never fails. */
    readonly respond: Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      never,
      HttpServerRequest.HttpServerRequest | Scope.Scope
    >
    /** Closes with the box, once it has waited for them: fibers an adapter starts belong into it. */
    readonly scope: Scope.Scope
  }
>()("@signalbox/core/http/App") {
  static readonly layer: Layer.Layer<
    App,
    never,
    | Accounts
    | Admission
    | ApiKeys
    | AuditLog
    | Broadcast
    | Catalog
    | Chats
    | Credentials
    | Decisions
    | Deliveries
    | Digest.Digest
    | Drain
    | DurableJobs
    | Generations
    | Guardrails
    | Health
    | InternChats
    | InternHosting
    | InternProgramme
    | Interns
    | IoLog
    | Ledger
    | Listing
    | Metrics
    | SpendCounters
    | Vaults
    | Videos
    | Webhooks
    | Workspaces
  > = Layer.effect(
    App,
    Effect.gen(function* () {
      const decision = yield* respondDecision
      const contract = yield* respondContract
      const reference = yield* makeReferencePage
      const addressed = addressing(yield* InternHosting)
      const { drain, isDraining, isReady, scope } = yield* Drain
      const dispatch = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const matched = addressed(request)
        switch (matched?.handler.route) {
          case "decision":
            return decision
          case "document":
            return document
          case "reference":
            return reference
          case "probe":
            return Effect.sync(() => respondProbe(matched.handler, isReady()))
          case "contract":
            return contract(matched)
          case undefined:
            return unmatched
        }
      })
      const inflating = yield* Inflating
      // Before what they ask is closed.
      yield* Effect.addFinalizer(() => drain(0))
      return {
        // Interruptible: the caller leaving, or the box closing, ends the work at the upstream.
        respond: observeRequest(
          Effect.catchCause(Effect.interruptible(dispatch), (cause) =>
            respondToCause(cause, isDraining(), addressed)
          ).pipe(Effect.provideService(Inflating, inflating)),
          (request) => addressed(request)?.handler.path
        ),
        scope
      }
    })
  )
}

const respondToCause = (
  cause: Cause.Cause<unknown>,
  isDraining: boolean,
  addressed: ReturnType<typeof addressing>
) => {
  if (Cause.hasInterruptsOnly(cause) && hasCallerLeft(cause)) return Effect.interrupt
  return Effect.zipWith(
    refusalOfCause(cause, isDraining),
    HttpServerRequest.HttpServerRequest,
    (refusal, request) => refuse(listed(addressed(request)?.handler, refusal))
  )
}

const hasCallerLeft = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

const document = Effect.map(Mount, (mount) => HttpServerResponse.jsonUnsafe(openApiDocument(mount)))
