/** Speaks texts: routes each to an upstream, streams the audio, records what happened. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { PlannedRoute, PlanReplay, RouteObserver } from "../../routing/RouteQuery.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { ModelNotFound, WrongOperation } from "../../routing/RoutingErrors.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { ParsedSpeech } from "./parseSpeechRequest.ts"

/** How speech fails before its first byte. */
export type SpeechError = NotPermitted | RoutingError

/** Audio that has begun. */
export interface SpeechStream {
  readonly id: string
  /** The catalog id of the model that speaks. */
  readonly model: string
  readonly provider: string
  /** The type of the bytes, such as `audio/mpeg`. */
  readonly contentType: string
  /**
   * Fails when the audio breaks off, because no fallback is possible then. Can be read once; a reader that stops ends the
   * call at the provider.
   */
  readonly bytes: Stream.Stream<Uint8Array, RoutingError>
}

/** Routes speech, among the endpoints of one model: voices belong to a model. */
export class Speeches extends Context.Service<
  Speeches,
  {
    /**
     * Succeeds with the first bytes, and fails when no candidate sends any. The call at the provider ends with the scope at the
     * latest; its cost is settled and its outcome recorded then.
     */
    readonly submit: (
      caller: Caller,
      parsed: ParsedSpeech,
      observer?: RouteObserver
    ) => Effect.Effect<SpeechStream, SpeechError, Scope.Scope>
    /** Plans without calling a provider. */
    readonly plan: (
      caller: Caller,
      parsed: ParsedSpeech,
      replay?: PlanReplay
    ) => Effect.Effect<PlannedRoute, ModelNotFound | WrongOperation>
  }
>()("@signalbox/core/domains/speech/Speeches") {
  static readonly layer = layerOnDemand(
    Speeches,
    { submit: "call", plan: "call" },
    importNamed(() => import("./layerSpeeches.ts"), "layerSpeeches")
  )
}
