/** Adds the outcome of a request to its span, by https://opentelemetry.io/docs/specs/semconv/gen-ai/. */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import type { Generation } from "./Generation.ts"
import { toGenAiAttributes, type ModelRun } from "./toGenAiAttributes.ts"

/**
 * To be called inside `withTrace`. `model` is the model asked for as the catalog has it: a name nobody
 * knows is a text of the caller's, and not told. `provider` is the slug of the one asked last.
 */
export const annotateRequest = (
  { id, model: responseModel, operation, usage }: Generation,
  { model, provider }: Pick<ModelRun, "model" | "provider">
): Effect.Effect<void> =>
  Effect.withFiber((fiber) =>
    fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
      ? Effect.void
      : Effect.annotateCurrentSpan({
          ...toGenAiAttributes({ operation, provider, model, responseModel, usage }),
          "gen_ai.response.id": id
        })
  )
