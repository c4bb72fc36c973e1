/**
 * Ids of generations: `gen-<unix seconds>-<20 alphanumerics>` for a chat, `gen-dec-…` for a Decision, `gen-emb-…` for
 * embeddings, `gen-rerank-…` for a rerank, `gen-img-…` for images, `gen-tts-…` for speech,
 * `gen-stt-…` for a transcription. The generation of a video has the id of its job.
 */
import * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { drawId } from "./generateId.ts"

/** The id of a generation. */
export const GenerationId = Schema.String.pipe(Schema.brand("GenerationId"))
export type GenerationId = typeof GenerationId.Type

const brandId = Brand.nominal<GenerationId>()

/** For a Decision. */
export const drawDecisionId = (...source: IdSource): GenerationId =>
  brandId(drawId("gen-dec", ...source))

/** For embeddings. */
export const drawEmbeddingId = (...source: IdSource): GenerationId =>
  brandId(drawId("gen-emb", ...source))

/** For a rerank. */
export const drawRerankId = (...source: IdSource): GenerationId =>
  brandId(drawId("gen-rerank", ...source))

/** For speech. */
export const drawSpeechId = (...source: IdSource): GenerationId =>
  brandId(drawId("gen-tts", ...source))

/** For a transcription. */
export const drawTranscriptionId = (...source: IdSource): GenerationId =>
  brandId(drawId("gen-stt", ...source))

/** For images. */
export const drawImageId = (...source: IdSource): GenerationId =>
  brandId(drawId("gen-img", ...source))

/** For a chat. */
export const drawChatId = (...source: IdSource): GenerationId => brandId(drawId("gen", ...source))

type IdSource = [clock: Parameters<typeof drawId>[1], random: Parameters<typeof drawId>[2]]
