/** Keeps the record of a video that was asked for and could be read, and of which there is no job: as of a Decision. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { absurd } from "effect/Function"
import type { Caller } from "../auth/Caller.ts"
import { Catalog } from "../catalog/Catalog.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import { Generations } from "../observability/Generations.ts"
import { type AnswerFacts, generationOf } from "../routing/generationOf.ts"
import type { Observer, Planned } from "../routing/Query.ts"
import type { ModelNotFound, NoEndpoints, WrongOperation } from "../routing/RoutingErrors.ts"
import { GenerationId } from "../values/GenerationId.ts"
import type { ParsedVideo } from "./parseVideoRequest.ts"
import type { AllRateLimited, TooManyUnfinished } from "./VideoErrors.ts"
import { contentOf } from "./videoGeneration.ts"
import * as VideoJobId from "./VideoJobId.ts"

/** Nobody is to make it, or nobody pays for it. */
export type Refused =
  | ModelNotFound
  | WrongOperation
  | NoEndpoints
  | AllRateLimited
  | TooManyUnfinished
  | LimitExceeded

interface Asked {
  readonly caller: Caller
  readonly parsed: ParsedVideo
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Undefined when there was nothing to plan. */
  readonly planned: Planned | undefined
  readonly listener: Observer | undefined
}

export const recordingRefused = Effect.gen(function* () {
  const catalog = yield* Catalog
  const generations = yield* Generations

  return Effect.fnUntraced(function* (
    { caller, listener, parsed, planned, startedAt }: Asked,
    why: Refused
  ) {
    const id = GenerationId.make(yield* VideoJobId.next)
    listener?.recorded?.(id)
    const generation = generationOf({
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
      exit: Exit.fail(why),
      factsOf: absurd<AnswerFacts>
    })
    yield* generations.ended(generation, contentOf(parsed))
  })
})
