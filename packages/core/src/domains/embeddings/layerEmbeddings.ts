/** The work of embeddings: routes the inputs to an upstream, checks the vectors, records what happened. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import type {
  EmbeddingCapability,
  EmbeddingReply
} from "../../engine/upstreams/EmbeddingCapability.ts"
import type { Upstream } from "../../engine/upstreams/Upstream.ts"
import { Settings } from "../../instance/Settings.ts"
import { isByok } from "../../routing/Candidate.ts"
import type { AnswerCaching } from "../../routing/cache/AnswerCaching.ts"
import * as Preferences from "../../routing/Preferences.ts"
import type { RouteQuery } from "../../routing/RouteQuery.ts"
import {
  type RouteAttempt,
  sumAnswerCost,
  sumAttemptUsage
} from "../../routing/attempt/RouteAttempt.ts"
import { RouteRecorder } from "../../routing/record/RouteRecorder.ts"
import { makeOneModelRoute } from "../../routing/record/makeOneModelRoute.ts"
import type { AnswerFacts } from "../../routing/record/toGeneration.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import * as GenerationId from "../../values/ids/GenerationId.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { EmbeddingList } from "./EmbeddingList.ts"
import { Embeddings } from "./Embeddings.ts"
import type { EmbeddingPartAnswer } from "./joinParts.ts"
import { makeEmbeddingWork } from "./makeEmbeddingWork.ts"
import type { ParsedEmbedding } from "./request/parseEmbeddingRequest.ts"
import type { Vector } from "./vectors/checkVectors.ts"

export const layerEmbeddings = Layer.effect(
  Embeddings,
  Effect.flatMap(Settings, (settings) =>
    makeOneModelRoute({
      span: "embeddings",
      drawId: GenerationId.drawEmbeddingId,
      toQuery: toEmbeddingQuery,
      makeWork: (parsed: ParsedEmbedding) => makeEmbeddingWork(parsed, settings),
      toAnswerFacts,
      toCaching,
      // The log leaves out the vectors: they are useless to its readers and far larger than the inputs.
      toContent: (parsed) => ({
        bytes: parsed.bytes,
        input: { ...parsed.parameters, ...toLoggedFields(parsed), input: parsed.items }
      }),
      toAnswer: (id, _, { candidate, value }, attempts): EmbeddingList => ({
        id,
        object: "list",
        model: candidate.endpoint.model,
        data: value.vectors.map(toDatum),
        usage: toEmbeddingUsage(attempts, value.tokenDetails)
      })
    })
  )
).pipe(Layer.provide(RouteRecorder.layer))

const toAnswerFacts = ({ id, model }: EmbeddingPartAnswer): AnswerFacts =>
  id === undefined ? { model } : { model, upstreamId: truncateText(id) }

const toCaching = (parsed: ParsedEmbedding): AnswerCaching<EmbeddingPartAnswer> => ({
  content: { ...parsed.parameters, ...toLoggedFields(parsed), input: parsed.items },
  write: ({ dimensions, model, vectors }) =>
    JSON.stringify({ dimensions, model, vectors, usage: noUsage, isEstimated: false }),
  // The line above has written it.
  replay: (written) => Effect.sync((): EmbeddingPartAnswer => JSON.parse(written))
})

const noUsage = { inputTokens: 0, outputTokens: 0 }

const toLoggedFields = ({ encoding, request }: ParsedEmbedding) => ({
  encoding_format: encoding,
  ...(request.dimensions === undefined ? undefined : { dimensions: request.dimensions }),
  ...(request.input_type === undefined ? undefined : { input_type: request.input_type })
})

const toDatum = (embedding: Vector, index: number) => ({
  object: "embedding" as const,
  index,
  // The type says which of both the encoding of the request makes it.
  embedding: embedding as ReadonlyArray<number> & string
})

const toEmbeddingQuery = (
  caller: Caller,
  { images, longestTokens, parameters, request }: ParsedEmbedding
): RouteQuery<EmbeddingCapability> => {
  const { dimensions, input_type: inputType } = request
  return {
    caller,
    models: [request.model],
    operation: "embeddings",
    capability: getEmbeddingCapability,
    ...(request.user === undefined ? undefined : { externalUser: request.user }),
    preferences: request.provider ?? Preferences.none,
    requirements: {
      parameters: [
        ...(dimensions === undefined ? [] : ["dimensions"]),
        ...(inputType === undefined ? [] : ["input_type"]),
        ...Object.keys(parameters)
      ],
      // Vectors of another length would spoil the caller's index.
      ...(dimensions === undefined ? undefined : { mandatoryParameters: ["dimensions"] }),
      // Each input must fit into the context on its own.
      inputTokens: longestTokens,
      outputTokens: 0,
      images
    }
  }
}

const getEmbeddingCapability = ({ embeddings }: Upstream): EmbeddingCapability | undefined =>
  embeddings

/** The sum over all attempts, with the `details` that the serving provider reports. */
const toEmbeddingUsage = (
  attempts: ReadonlyArray<RouteAttempt>,
  details: EmbeddingReply["tokenDetails"]
): EmbeddingList["usage"] => {
  const { inputTokens = 0 } = sumAttemptUsage(attempts) ?? {}
  const cost = sumAnswerCost(attempts)
  const served = attempts.at(-1)
  // The details of an implausible usage would contradict its capped counts.
  const isPlausible = served?.implausible === undefined || served.implausible.what === "cost"
  const modalities = isPlausible ? selectModalities(details) : undefined
  return {
    prompt_tokens: inputTokens,
    total_tokens: inputTokens,
    ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) }),
    is_byok: served !== undefined && isByok(served.candidate),
    ...toReported(served?.implausible),
    ...(modalities === undefined ? undefined : { prompt_tokens_details: modalities })
  }
}

/** The provider's report, where it was capped. */
const toReported = (
  implausible: RouteAttempt["implausible"]
): Pick<EmbeddingList["usage"], "reported"> | undefined => {
  if (implausible === undefined) return undefined
  const { reported, usage } = implausible
  return {
    reported: usage === undefined ? { cost: reported } : { prompt_tokens: usage.inputTokens }
  }
}

const modalities = [
  "text_tokens",
  "image_tokens",
  "audio_tokens",
  "video_tokens",
  "file_tokens"
] as const

/** Undefined for one modality, whose tokens are the prompt tokens. */
const selectModalities = (
  details: EmbeddingReply["tokenDetails"] = {}
): EmbeddingList["usage"]["prompt_tokens_details"] => {
  const known = modalities.flatMap((name) => {
    const tokens = Object.hasOwn(details, name) ? details[name] : undefined
    return Number.isSafeInteger(tokens) && tokens! > 0 ? [[name, tokens] as const] : []
  })
  return known.length < 2 ? undefined : Object.fromEntries(known)
}
