/**
 * Ids of generations: `gen-<unix seconds>-<20 alphanumerics>` for a chat, `gen-dec-…` for a Decision. That of a video
 * is the id of its job.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { generateId } from "./generateId.ts"

/** The id of a generation. */
export const GenerationId = Schema.String.pipe(Schema.brand("GenerationId"))
export type GenerationId = typeof GenerationId.Type

export const generateDecisionId: Effect.Effect<GenerationId> = generateId("gen-dec", (id) =>
  GenerationId.make(id)
)

export const generateChatId: Effect.Effect<GenerationId> = generateId("gen", (id) =>
  GenerationId.make(id)
)
