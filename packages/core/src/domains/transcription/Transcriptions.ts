/** Transcribes recordings: routes each to an upstream, checks the answer, records what happened. */
import * as Context from "effect/Context"
import type { OneModelRoute } from "../../routing/record/makeOneModelRoute.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"
import type { RoutedTranscript } from "./Transcript.ts"
import type { ParsedTranscription } from "./parseTranscription.ts"

/** Routes transcriptions, among the endpoints of one model. */
export class Transcriptions extends Context.Service<
  Transcriptions,
  OneModelRoute<ParsedTranscription, RoutedTranscript>
>()("@signalbox/core/domains/transcription/Transcriptions") {
  static readonly layer = layerOnDemand(
    Transcriptions,
    { submit: "call", plan: "call" },
    importNamed(() => import("./layerTranscriptions.ts"), "layerTranscriptions")
  )
}
