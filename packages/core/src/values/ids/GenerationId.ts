/**
 * Names one answered (or failed) request: `gen-<unix seconds>-<20 alphanumerics>`, with `dec` or `vid` after
 * `gen` for what is no chat. A video's is that of its job.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { generateId } from "./generateId.ts"

/** Names a generation. */
export const GenerationId = Schema.String.pipe(Schema.brand("GenerationId"))
export type GenerationId = typeof GenerationId.Type

export const generateDecisionId: Effect.Effect<GenerationId> = generateId("gen-dec", (id) =>
  GenerationId.make(id)
)

export const generateChatId: Effect.Effect<GenerationId> = generateId("gen", (id) =>
  GenerationId.make(id)
)
