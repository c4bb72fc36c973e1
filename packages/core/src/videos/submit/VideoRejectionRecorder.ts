/** Keeps the record of a video that was asked for and could be read, and of which there is no job: as of a Decision. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { absurd } from "effect/Function"
import type { Caller } from "../../auth/Caller.ts"
import { Catalog } from "../../catalog/Catalog.ts"
import type { LimitExceeded } from "../../ledger/LedgerErrors.ts"
import { Generations } from "../../observability/Generations.ts"
import { type AnswerFacts, toGeneration } from "../../routing/record/toGeneration.ts"
import type { RouteObserver, PlannedRoute } from "../../routing/RouteQuery.ts"
import type { ModelNotFound, NoEndpoints, WrongOperation } from "../../routing/RoutingErrors.ts"
import { GenerationId } from "../../values/ids/GenerationId.ts"
import type { ParsedVideoRequest } from "../request/parseVideoRequest.ts"
import type { AllRateLimited, TooManyActiveJobs } from "../VideoErrors.ts"
import { toLoggedContent } from "../finalize/toVideoGeneration.ts"
import * as VideoJobId from "../VideoJobId.ts"

/** Nobody is to make it, or nobody pays for it. */
export type VideoRejection =
  | ModelNotFound
  | WrongOperation
  | NoEndpoints
  | AllRateLimited
  | TooManyActiveJobs
  | LimitExceeded

interface RejectedSubmission {
  readonly caller: Caller
  readonly parsed: ParsedVideoRequest
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Undefined when there was nothing to plan. */
  readonly planned: PlannedRoute | undefined
  readonly listener: RouteObserver | undefined
}

export const makeVideoRejectionRecorder = Effect.gen(function* () {
  const catalog = yield* Catalog
  const generations = yield* Generations

  return Effect.fnUntraced(function* (
    { caller, listener, parsed, planned, startedAt }: RejectedSubmission,
    rejection: VideoRejection
  ) {
    const id = GenerationId.make(yield* VideoJobId.next)
    listener?.onRecordId?.(id)
    const generation = toGeneration({
      id,
      caller,
      operation: "videos",
      requestedModel: parsed.request.model,
      labels: parsed.request,
      isStreamed: false,
      startedAt,
      latencyMillis: (yield* Clock.currentTimeMillis) - startedAt,
      planned,
      configuration: catalog.current().version,
      attempts: [],
      exit: Exit.fail(rejection),
      toAnswerFacts: absurd<AnswerFacts>
    })
    yield* generations.record(generation, toLoggedContent(parsed))
  })
})
