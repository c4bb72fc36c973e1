/** Makes embeddings: routes the inputs to an upstream, checks the vectors, records what happened. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import * as Preferences from "../../routing/Preferences.ts"
import { makeOneModelRoute, type OneModelRoute } from "../../routing/record/makeOneModelRoute.ts"
import { RouteRecorder } from "../../routing/record/RouteRecorder.ts"
import type { AnswerFacts } from "../../routing/record/toGeneration.ts"
import type { RouteQuery } from "../../routing/RouteQuery.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import { Settings } from "../../instance/Settings.ts"
import type { EmbeddingCapability } from "../../engine/upstreams/EmbeddingCapability.ts"
import type { Upstream } from "../../engine/upstreams/Upstream.ts"
import * as GenerationId from "../../values/ids/GenerationId.ts"
import type { EmbeddingList } from "./EmbeddingList.ts"
import type { EmbeddingPartAnswer } from "./joinParts.ts"
import { makeEmbeddingWork } from "./makeEmbeddingWork.ts"
import type { ParsedEmbedding } from "./request/parseEmbeddingRequest.ts"
import { toEmbeddingUsage } from "./toEmbeddingUsage.ts"
import type { Vector } from "./vectors/base64.ts"

/** How a request for embeddings fails. */
export type EmbeddingError = NotPermitted | RoutingError

/** Routes requests for embeddings, among the endpoints of one model: vectors of two models cannot be compared. */
export class Embeddings extends Context.Service<
  Embeddings,
  OneModelRoute<ParsedEmbedding, EmbeddingList>
>()("@signalbox/core/domains/embeddings/Embeddings") {
  static readonly layer = Layer.effect(
    Embeddings,
    Effect.flatMap(Settings, (settings) =>
      makeOneModelRoute({
        span: "embeddings",
        drawId: GenerationId.drawEmbeddingId,
        toQuery: toEmbeddingQuery,
        makeWork: (parsed: ParsedEmbedding) => makeEmbeddingWork(parsed, settings),
        toAnswerFacts,
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
}

const toAnswerFacts = ({ id, model }: EmbeddingPartAnswer): AnswerFacts =>
  id === undefined ? { model } : { model, upstreamId: truncateText(id) }

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
