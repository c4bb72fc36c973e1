/** Records video requests that were valid but rejected, so that they have a generation without a job. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { absurd } from "effect/Function"
import * as Layer from "effect/Layer"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import { Catalog } from "../../../engine/catalog/Catalog.ts"
import type { LimitExceeded } from "../../../engine/ledger/LedgerErrors.ts"
import { Generations } from "../../../engine/observability/generations/Generations.ts"
import type { ContentBlocked } from "../../../routing/filters/FilterReport.ts"
import * as Preferences from "../../../routing/Preferences.ts"
import { type AnswerFacts, toGeneration } from "../../../routing/record/toGeneration.ts"
import type { RouteObserver, PlannedRoute } from "../../../routing/RouteQuery.ts"
import type { ModelNotFound, NoEndpoints, WrongOperation } from "../../../routing/RoutingErrors.ts"
import { GenerationId } from "../../../values/ids/GenerationId.ts"
import type { ParsedVideoRequest } from "../request/parseVideoRequest.ts"
import type { AllRateLimited, TooManyActiveJobs } from "../VideoStatus.ts"
import { toLoggedContent } from "../finalize/toVideoGeneration.ts"
import * as VideoJobId from "../VideoJobId.ts"

/** Why a valid request becomes no job: no provider is available, a limit is reached, or its content is blocked. */
export type VideoRejection =
  | ContentBlocked
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
  readonly latencyMillis: number
  /** Undefined when the request was rejected before it was planned. */
  readonly planned: PlannedRoute | undefined
  readonly observer: RouteObserver | undefined
}

/** Records rejected video requests. */
export class VideoRejectionRecorder extends Context.Service<
  VideoRejectionRecorder,
  {
    readonly record: (
      submission: RejectedSubmission,
      rejection: VideoRejection
    ) => Effect.Effect<void>
  }
>()("@signalbox/core/domains/videos/submit/VideoRejectionRecorder") {
  static readonly layer = Layer.effect(
    VideoRejectionRecorder,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const generations = yield* Generations

      return {
        record: Effect.fnUntraced(function* (
          { caller, latencyMillis, observer, parsed, planned, startedAt },
          rejection
        ) {
          const id = GenerationId.make(yield* VideoJobId.next)
          observer?.onRecordId?.(id)
          const generation = toGeneration({
            id,
            caller,
            operation: "videos",
            requestedModel: parsed.request.model,
            models: [parsed.request.model],
            filtered: parsed.filtered,
            preferences: parsed.request.provider ?? Preferences.none,
            labels: parsed.request,
            requestId: observer?.requestId,
            isStreamed: false,
            startedAt,
            latencyMillis,
            planned,
            configuration: catalog.current().version,
            attempts: [],
            exit: Exit.fail(rejection),
            toAnswerFacts: absurd<AnswerFacts>
          })
          yield* generations.add({ id, generation, content: toLoggedContent(parsed) })
        })
      }
    })
  )
}
