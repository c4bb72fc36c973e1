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
import type { InternChats } from "../interns/chat/InternChats.ts"
import { InternHostService } from "../interns/host/InternHost.ts"
import type { InternEligibility } from "../interns/InternEligibility.ts"
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
import { makeRequestMatcher } from "./makeRequestMatcher.ts"
import { Drain } from "./Drain.ts"
import { restrictStatus } from "./errors/restrictStatus.ts"
import { toErrorResponseFromCause } from "./errors/toErrorResponseFromCause.ts"
import { renderError } from "./errors/renderError.ts"
import { BodyInflater } from "./BodyInflater.ts"
import { Mount } from "./Mount.ts"
import { observeRequest } from "./observeRequest.ts"
import { makeOpenApiDocument } from "./makeOpenApiDocument.ts"
import { makeReferencePage } from "./makeReferencePage.ts"
import { makeContractResponder } from "./ContractResponder.ts"
import { respondProbe } from "./respondProbe.ts"
import { makeDecisionResponder } from "./DecisionResponder.ts"
import { respondUnmatched } from "./respondUnmatched.ts"

/** Answers a request that `matchRoute` says is ours. */
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
    | InternHostService
    | InternEligibility
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
      const decision = yield* makeDecisionResponder
      const contract = yield* makeContractResponder
      const reference = yield* makeReferencePage
      const matchRequest = makeRequestMatcher(yield* InternHostService)
      const { drain, isDraining, isReady, scope } = yield* Drain
      const dispatch = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const matched = matchRequest(request)
        switch (matched?.handler.route) {
          case "decision":
            return decision
          case "document":
            return openApiResponse
          case "reference":
            return reference
          case "probe":
            return Effect.sync(() => respondProbe(matched.handler, isReady()))
          case "contract":
            return contract(matched)
          case undefined:
            return respondUnmatched
        }
      })
      const inflating = yield* BodyInflater
      // Before what they ask is closed.
      yield* Effect.addFinalizer(() => drain(0))
      return {
        // Interruptible: the caller leaving, or the box closing, ends the work at the upstream.
        respond: observeRequest(
          Effect.catchCause(Effect.interruptible(dispatch), (cause) =>
            respondToCause(cause, isDraining(), matchRequest)
          ).pipe(Effect.provideService(BodyInflater, inflating)),
          (request) => matchRequest(request)?.handler.path
        ),
        scope
      }
    })
  )
}

const respondToCause = (
  cause: Cause.Cause<unknown>,
  isDraining: boolean,
  matchRequest: ReturnType<typeof makeRequestMatcher>
) => {
  if (Cause.hasInterruptsOnly(cause) && isClientAbort(cause)) return Effect.interrupt
  return Effect.zipWith(
    toErrorResponseFromCause(cause, isDraining),
    HttpServerRequest.HttpServerRequest,
    (refusal, request) => renderError(restrictStatus(matchRequest(request)?.handler, refusal))
  )
}

const isClientAbort = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

const openApiResponse = Effect.map(Mount, (mount) =>
  HttpServerResponse.jsonUnsafe(makeOpenApiDocument(mount))
)
