/** Effect's language model over an instance: any provider of the catalog answers. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Span } from "effect/Tracer"
import type * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as AiModel from "effect/ai/Model"
import type * as Response from "effect/ai/Response"
import * as Telemetry from "effect/ai/Telemetry"
import type { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import type { Tool } from "../conversation/Conversation.ts"
import { parseArguments } from "../dialects/CalledTool.ts"
import type { PartForms } from "../dialects/parts/PartForms.ts"
import { StreamedPartWriter } from "../dialects/parts/StreamedPartWriter.ts"
import { writeParts } from "../dialects/parts/writeParts.ts"
import type { ChatAnswer } from "../domains/chat/ChatAnswer.ts"
import { Chats } from "../domains/chat/Chats.ts"
import type { ChatRequest } from "../domains/chat/request/ChatRequest.ts"
import { parseChatWithPreset } from "../domains/chat/request/parseChatWithPreset.ts"
import { Presets } from "../domains/presets/Presets.ts"
import type { Caller } from "../tenants/auth/Caller.ts"
import { Settings } from "../instance/Settings.ts"
import type { PushStream } from "../values/push/PushStream.ts"
import { toStream } from "../values/push/toStream.ts"
import { type CallServices, makeCallRunner } from "./CurrentCaller.ts"
import { writeFinish, writeResponseMetadata } from "./answerEnd.ts"
import { codecTransformer, parseConversation } from "./parseConversation.ts"
import { makeWithConfigOverride } from "./withConfigOverride.ts"

/**
 * The fields of a chat request that the prompt does not say: the model, its fallbacks (`models`), routing preferences
 * (`provider`), parameters such as `temperature` or `reasoning`, and labels such as `session_id`, `user` and `trace`.
 */
export interface LanguageModelConfig extends Partial<
  Omit<
    ChatRequest,
    | "function_call"
    | "functions"
    | "messages"
    | "model"
    | "n"
    | "response_format"
    | "stream"
    | "stream_options"
    | "tool_choice"
    | "tools"
  >
> {
  readonly model?: string
  /** Whether generated objects must follow their schema exactly; default: true. */
  readonly strictJsonSchema?: boolean
}

/** Settings of one call, which take precedence over the layer's; see `withConfigOverride`. */
export class Config extends Context.Service<Config, LanguageModelConfig>()(
  "@signalbox/core/ai/SignalboxLanguageModel/Config"
) {}

/**
 * Settings for the calls of an effect.
 *
 * ```ts
 * LanguageModel.generateText({ prompt }).pipe(
 *   SignalboxLanguageModel.withConfigOverride({ provider: { sort: "price" }, temperature: 0 })
 * )
 * ```
 */
export const withConfigOverride = makeWithConfigOverride(Config)

/** The options of a language model. */
export interface LanguageModelOptions {
  /** A model of the catalog, such as `openai/gpt-5-mini`. */
  readonly model: string
  readonly config?: Omit<LanguageModelConfig, "model">
}

/** The services of an instance that a language model needs. */
export type Services = CallServices | Chats | Presets

const moduleName = "SignalboxLanguageModel"

/**
 * Makes a language model. Its calls are chats like any other: with restrictions, limits, fallbacks and records. Errors are
 * `AiError`s whose metadata has the facts under `signalbox`. A stream may fall back until its first part.
 */
export const make = ({
  config: defaults,
  model
}: LanguageModelOptions): Effect.Effect<LanguageModel.LanguageModel, never, Services> =>
  Effect.gen(function* () {
    const chats = yield* Chats
    const presets = yield* Presets
    const settings = yield* Settings
    const run = yield* makeCallRunner(moduleName)

    const parse = Effect.fnUntraced(function* (
      method: string,
      options: LanguageModel.ProviderOptions,
      caller: Caller
    ) {
      const overrides = Context.getOrUndefined(yield* Effect.context(), Config)
      const { strictJsonSchema = true, ...config } = { model, ...defaults, ...overrides }
      annotateRequest(options.span, config)
      const conversation = yield* parseConversation(options, {
        isStrict: strictJsonSchema,
        origin: { module: moduleName, method }
      })
      return yield* parseChatWithPreset(conversation, config, settings, { caller, presets })
    })

    return yield* LanguageModel.make({
      codecTransformer,
      generateText: (options) =>
        run("generateText", ({ caller, observer }) =>
          Effect.flatMap(parse("generateText", options, caller), ({ parsed, tools }) =>
            Effect.map(chats.answer(caller, parsed, observer), (answer) => {
              const parts = writeAnswerParts(answer, tools, observer)
              annotateResponse(options.span, parts)
              return parts
            })
          )
        ).pipe(Effect.scoped),
      streamText: (options) =>
        run("streamText", ({ caller, observer, withAiErrors }) =>
          Effect.flatMap(parse("streamText", options, caller), ({ parsed, tools }) =>
            Effect.map(chats.stream(caller, parsed, observer), (stream) => {
              const { created, id, model, pieces, provider, toEnd } = stream
              const head = { generationId: id, model, provider, startedAt: created * 1_000 }
              const writer = new StreamedPartWriter(partForms, tools)
              const parts: PushStream<Response.StreamPartEncoded, AiError.AiError> = {
                run: (push) =>
                  push([writeResponseMetadata(head)]).pipe(
                    Effect.andThen(
                      pieces.run((arrived) =>
                        pushAll(
                          push,
                          arrived.flatMap((piece) => writer.write(piece))
                        )
                      )
                    ),
                    withAiErrors,
                    Effect.flatMap(() => {
                      const { answerEnd: end, hasCalls } = writer
                      const finish = writeFinish(head, { ...toEnd(), end, hasCalls }, observer)
                      return push([...writer.end(), finish])
                    })
                  )
              }
              return Stream.mapArray(toStream(parts), (some) => {
                annotateResponse(options.span, some)
                return some
              })
            })
          )
        ).pipe(Stream.unwrap)
    })
  })

const pushAll = <A>(
  push: (values: ReadonlyArray<A>) => Effect.Effect<void>,
  parts: ReadonlyArray<A>
): Effect.Effect<void> => (parts.length === 0 ? Effect.void : push(parts))

/** A language model of an instance, such as `layer(options)` or `Layer.succeedContext(signalbox.context)`. */
export const layer = (
  options: LanguageModelOptions
): Layer.Layer<LanguageModel.LanguageModel, never, Services> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))

/** `layer` with the names that Effect's AI services report. */
export const model = (
  model: string,
  config?: Omit<LanguageModelConfig, "model">
): AiModel.Model<"signalbox", LanguageModel.LanguageModel, Services> =>
  AiModel.make("signalbox", model, layer({ model, ...(config === undefined ? {} : { config }) }))

const annotateRequest = (span: Span, config: Omit<LanguageModelConfig, "strictJsonSchema">): void =>
  Telemetry.addGenAIAnnotations(span, {
    provider: { name: "signalbox" },
    operation: { name: "chat" },
    request: {
      model: config.model,
      temperature: config.temperature ?? undefined,
      topP: config.top_p ?? undefined,
      maxTokens: config.max_completion_tokens ?? config.max_tokens ?? undefined
    }
  })

const annotateResponse = (
  span: Span,
  parts: ReadonlyArray<Response.PartEncoded | Response.StreamPartEncoded>
): void => {
  for (const part of parts) {
    if (part.type === "response-metadata") {
      Telemetry.addGenAIAnnotations(span, { response: { id: part.id, model: part.modelId } })
    } else if (part.type === "finish") {
      const { inputTokens, outputTokens } = part.usage
      Telemetry.addGenAIAnnotations(span, {
        response: { finishReasons: [part.reason] },
        usage: { inputTokens: inputTokens.total, outputTokens: outputTokens.total }
      })
    }
  }
}

/** Writes a whole answer as the parts of a response. */
export const writeAnswerParts = (
  answer: ChatAnswer,
  tools: ReadonlyArray<Tool>,
  observer: CallRecorder
): Array<Response.PartEncoded> => {
  const { id, model, provider, reply, startedAt } = answer
  const head = { generationId: id, model, provider, startedAt }
  const { parts, ...said } = writeParts(reply, partForms, tools)
  const finish = writeFinish(head, { ...answer, ...said, marks: reply }, observer)
  return [writeResponseMetadata(head), ...parts, finish]
}

type Common =
  | Response.FilePartEncoded
  | Response.ToolCallPartEncoded
  | Response.UrlSourcePartEncoded

const toMetadata = <A>(
  signalbox: A | undefined
): { readonly metadata: { readonly signalbox: A } } | undefined =>
  signalbox === undefined ? undefined : { metadata: { signalbox } }

/** What is no URL has no place in a source. */
const toSource = (url: string, title: string): ReadonlyArray<Response.UrlSourcePartEncoded> =>
  URL.canParse(url) ? [{ type: "source", sourceType: "url", id: url, url, title }] : []

/** Writes the parts of an answer in the form of Effect's AI services. */
export const partForms: PartForms<Common, Response.PartEncoded, Response.StreamPartEncoded> = {
  writeCall: (call, metadata) => ({
    type: "tool-call",
    id: call.id,
    name: call.name,
    // What is no JSON fails the schema of the tool, whose failure mode decides.
    params: parseArguments(call) ?? call.arguments,
    ...toMetadata(metadata)
  }),
  // Files have no URLs, so these are sources.
  writeMedia: ({ source, type }) => {
    if (source.type === "url") return toSource(source.url, type)
    if (source.type === "id") return []
    return [{ type: "file", mediaType: source.mediaType, data: source.data }]
  },
  writeSource: ({ title, url }) => toSource(url, title ?? url),
  writeText: (text, metadata) => ({ type: "text", text, ...toMetadata(metadata) }),
  writeReasoning: (text, metadata) => ({ type: "reasoning", text, ...toMetadata(metadata) }),
  startText: (id) => ({ type: "text-start", id }),
  extendText: (id, delta) => ({ type: "text-delta", id, delta }),
  endText: (id, metadata) => ({ type: "text-end", id, ...toMetadata(metadata) }),
  startReasoning: (id, metadata) => ({ type: "reasoning-start", id, ...toMetadata(metadata) }),
  extendReasoning: (id, delta) => ({ type: "reasoning-delta", id, delta }),
  endReasoning: (id, metadata) => ({ type: "reasoning-end", id, ...toMetadata(metadata) }),
  startCall: (id, name) => ({ type: "tool-params-start", id, name }),
  extendCall: (id, delta) => ({ type: "tool-params-delta", id, delta }),
  endCall: (id) => ({ type: "tool-params-end", id })
}
