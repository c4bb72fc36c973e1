/** Effect's embedding model over an instance. */
import * as EmbeddingModel from "effect/ai/EmbeddingModel"
import * as AiModel from "effect/ai/Model"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Embeddings } from "../domains/embeddings/Embeddings.ts"
import type { EmbeddingRequest } from "../domains/embeddings/request/EmbeddingRequest.ts"
import { decodeEmbeddingRequest } from "../domains/embeddings/request/parseEmbeddingRequest.ts"
import { parseInProcess } from "../routing/parseRequest.ts"
import { Settings } from "../instance/Settings.ts"
import { type CallServices, CurrentCaller, makeCallRunner } from "./CurrentCaller.ts"
import { makeWithConfigOverride } from "./withConfigOverride.ts"

/** The fields of a request for embeddings besides its input, such as `input_type` or routing preferences (`provider`). */
export interface EmbeddingModelConfig extends Partial<
  Omit<EmbeddingRequest, "encoding_format" | "input">
> {}

/** Settings of one call, which take precedence over the layer's; see `withConfigOverride`. */
export class Config extends Context.Service<Config, EmbeddingModelConfig>()(
  "@signalbox/core/ai/SignalboxEmbeddingModel/Config"
) {}

/** Settings for the calls of an effect; see `SignalboxLanguageModel.withConfigOverride`. */
export const withConfigOverride = makeWithConfigOverride(Config)

/** The options of an embedding model. */
export interface EmbeddingModelOptions {
  /** A model of the catalog, such as `openai/text-embedding-3-small`. */
  readonly model: string
  readonly config?: Omit<EmbeddingModelConfig, "model">
}

/** The services of an instance that an embedding model needs. */
export type Services = CallServices | Embeddings

/**
 * Makes an embedding model. Concurrent calls of `embed` are one request when their caller and their settings are equal.
 * Only endpoints of the model are tried.
 */
export const make = ({
  config: defaults,
  model
}: EmbeddingModelOptions): Effect.Effect<EmbeddingModel.EmbeddingModel, never, Services> =>
  Effect.gen(function* () {
    const embeddings = yield* Embeddings
    const settings = yield* Settings
    const run = yield* makeCallRunner("SignalboxEmbeddingModel")

    return yield* EmbeddingModel.make({
      batchKey: (context) => [
        Context.get(context, CurrentCaller),
        Context.getOrUndefined(context, Config)
      ],
      embedMany: ({ inputs }) =>
        run(
          "embedMany",
          Effect.fnUntraced(function* ({ caller, observer }) {
            const overrides = Context.getOrUndefined(yield* Effect.context(), Config)
            const request = { model, ...defaults, ...overrides, input: inputs }
            const parsed = yield* parseInProcess(request, settings, decodeEmbeddingRequest)
            const { data, usage } = yield* embeddings.submit(caller, parsed, observer)
            return {
              // Numbers, because the request asks for no other encoding.
              results: data.map(({ embedding }) =>
                typeof embedding === "string" ? [] : Array.from(embedding)
              ),
              usage: { inputTokens: usage.prompt_tokens }
            }
          })
        ).pipe(Effect.scoped)
    })
  })

/** An embedding model of an instance, such as `layer(options)` or `Layer.succeedContext(signalbox.context)`. */
export const layer = (
  options: EmbeddingModelOptions
): Layer.Layer<EmbeddingModel.EmbeddingModel, never, Services> =>
  Layer.effect(EmbeddingModel.EmbeddingModel, make(options))

/** `layer` for vectors of a length, with the names that Effect's AI services report. */
export const model = (
  model: string,
  {
    config,
    dimensions
  }: {
    readonly dimensions: number
    readonly config?: Omit<EmbeddingModelConfig, "dimensions" | "model">
  }
): AiModel.Model<
  "signalbox",
  EmbeddingModel.Dimensions | EmbeddingModel.EmbeddingModel,
  Services
> =>
  AiModel.make(
    "signalbox",
    model,
    Layer.merge(
      layer({ model, config: { ...config, dimensions } }),
      Layer.succeed(EmbeddingModel.Dimensions, dimensions)
    )
  )
