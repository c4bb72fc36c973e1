/**
 * Names one answered (or failed) request: `gen-<unix seconds>-<20 alphanumerics>`, with `dec` or `vid` after
 * `gen` for what is no chat. A video's is that of its job.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { freshId } from "./freshId.ts"

/** Names a generation. */
export const GenerationId = Schema.String.pipe(Schema.brand("GenerationId"))
export type GenerationId = typeof GenerationId.Type

export const nextDecision: Effect.Effect<GenerationId> = freshId("gen-dec", (id) =>
  GenerationId.make(id)
)

export const nextChat: Effect.Effect<GenerationId> = freshId("gen", (id) => GenerationId.make(id))
