/**
 * Names one answered (or failed) request: `gen-<dec or vid>-<unix seconds>-<20 alphanumerics>`. A video's is
 * that of its job.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { freshId } from "./freshId.ts"

export const GenerationId = Schema.String.pipe(Schema.brand("GenerationId"))
export type GenerationId = typeof GenerationId.Type

export const nextDecision: Effect.Effect<GenerationId> = freshId("gen-dec", (id) =>
  GenerationId.make(id)
)
