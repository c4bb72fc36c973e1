/** Plans a request of any operation without calling a provider, over HTTP and in process. */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { Chats } from "../../domains/chat/Chats.ts"
import { type ParsedChat, decodeChatRequest } from "../../domains/chat/request/parseChatRequest.ts"
import { isMessagesRequest } from "../../domains/messages/isMessagesRequest.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import { Decisions } from "../../domains/decisions/Decisions.ts"
import { decodeDecisionRequest } from "../../domains/decisions/parseDecisionRequest.ts"
import { Embeddings } from "../../domains/embeddings/Embeddings.ts"
import { decodeEmbeddingRequest } from "../../domains/embeddings/request/parseEmbeddingRequest.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { servesOperation } from "../../engine/catalog/model/servesOperation.ts"
import { Images } from "../../domains/images/Images.ts"
import { decodeImageRequest } from "../../domains/images/parseImageRequest.ts"
import { decodeRerankRequest } from "../../domains/rerank/parseRerankRequest.ts"
import { Reranks } from "../../domains/rerank/Reranks.ts"
import { isResponsesRequest } from "../../domains/responses/isResponsesRequest.ts"
import { type Explanation, toExplanation } from "../../routing/Explanation.ts"
import { makeLimitExplainer } from "../../routing/explainLimits.ts"
import type { PlannedRoute, PlanReplay } from "../../routing/RouteQuery.ts"
import type { ModelNotFound, WrongOperation } from "../../routing/RoutingErrors.ts"
import type { OperationName } from "../../values/OperationName.ts"
import {
  InvalidRequest,
  type RequestTooLarge,
  type ResourceNotFound
} from "../../values/errors/RequestErrors.ts"
import { parseWithPreset } from "../../domains/presets/namesPreset.ts"
import type { PresetUnavailable } from "../../domains/presets/Preset.ts"
import { Presets } from "../../domains/presets/Presets.ts"
import { parseInProcess } from "../../routing/parseRequest.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import { decodeVideoRequest } from "../../domains/videos/request/parseVideoRequest.ts"
import { Speeches } from "../../domains/speech/Speeches.ts"
import { decodeSpeechRequest } from "../../domains/speech/parseSpeechRequest.ts"
import { decodeTranscriptionRequest } from "../../domains/transcription/parseTranscription.ts"
import { Transcriptions } from "../../domains/transcription/Transcriptions.ts"
import { Videos } from "../../domains/videos/Videos.ts"

type DryRunError =
  | InvalidRequest
  | ResourceNotFound
  | ModelNotFound
  | PresetUnavailable
  | RequestTooLarge
  | WrongOperation

export const makeDryRun = Effect.gen(function* () {
  const chats = yield* Chats
  const decisions = yield* Decisions
  const embeddings = yield* Embeddings
  const presets = yield* Presets
  const catalog = yield* Catalog
  const images = yield* Images
  const reranks = yield* Reranks
  const speeches = yield* Speeches
  const transcriptions = yield* Transcriptions
  const videos = yield* Videos
  const settings = yield* Settings
  const explainLimits = yield* makeLimitExplainer

  const makesImages = (request: unknown): boolean => {
    const name = Predicate.isObject(request) ? request["model"] : undefined
    const found = typeof name === "string" ? catalog.current().resolve(name) : undefined
    return found !== undefined && servesOperation(found.model, "images")
  }

  return Effect.fnUntraced(function* (
    caller: Caller,
    request: unknown,
    replay: PlanReplay
  ): Effect.fn.Return<Explanation, DryRunError> {
    const named = findOperationName(request)
    // Both have a prompt, so the model tells them apart.
    const operation = named === "videos" && makesImages(request) ? "images" : named
    if (operation === undefined) return yield* unrecognizedRequest
    const use = { caller, presets }
    const planResponses = Effect.flatMap(loadResponses(), ({ decodeResponsesChat }) =>
      Effect.flatMap(
        parseWithPreset(request, settings, decodeResponsesChat, { api: "responses", ...use }),
        ({ parsed }) => chats.plan(caller, parsed, replay)
      )
    )
    const planOf: Record<OperationName, () => Effect.Effect<PlannedRoute, DryRunError>> = {
      decisions: () =>
        Effect.flatMap(
          parseWithPreset(request, settings, decodeDecisionRequest, { api: "decisions", ...use }),
          (parsed) => decisions.plan(caller, parsed, replay)
        ),
      chat: () =>
        Effect.flatMap(parseChat(request, settings, use), (parsed) =>
          chats.plan(caller, parsed, replay)
        ),
      embeddings: () => {
        const isResponses = Predicate.isObject(request) ? isResponsesRequest(request) : false
        if (isResponses === true) return planResponses
        const planned = Effect.flatMap(
          parseInProcess(request, settings, decodeEmbeddingRequest),
          (parsed) => embeddings.plan(caller, parsed, replay)
        )
        // The checks of one API must not refuse what the model serves by the other.
        const embedded =
          isResponses === false
            ? planned
            : Effect.catchTag(planResponses, "WrongOperation", () => planned)
        return Effect.catchTag(embedded, "WrongOperation", (error) =>
          Effect.catchTag(planOf.speech(), "WrongOperation", () => Effect.fail(error))
        )
      },
      rerank: () =>
        Effect.flatMap(parseInProcess(request, settings, decodeRerankRequest), (parsed) =>
          reranks.plan(caller, parsed, replay)
        ),
      speech: () =>
        Effect.flatMap(parseInProcess(request, settings, decodeSpeechRequest), (parsed) =>
          speeches.plan(caller, parsed, replay)
        ),
      transcriptions: () =>
        Effect.flatMap(parseInProcess(request, settings, decodeTranscriptionRequest), (parsed) =>
          transcriptions.plan(caller, parsed, replay)
        ),
      images: () =>
        Effect.flatMap(parseInProcess(request, settings, decodeImageRequest), (parsed) =>
          images.plan(caller, parsed, replay)
        ),
      videos: () =>
        Effect.flatMap(parseInProcess(request, settings, decodeVideoRequest), (parsed) =>
          videos.plan(caller, parsed, replay)
        )
    }
    const planned = yield* planOf[operation]()
    return { ...toExplanation(planned), limits: yield* explainLimits(planned, caller, operation) }
  })
})

/** Parses the chat by the API that its fields show. */
const parseChat = (
  request: unknown,
  settings: SettingsShape,
  use: { readonly caller: Caller; readonly presets: Presets["Service"] }
): Effect.Effect<ParsedChat, InvalidRequest | PresetUnavailable | RequestTooLarge> =>
  isMessagesRequest(request)
    ? Effect.flatMap(loadMessages(), ({ decodeMessagesChat }) =>
        Effect.map(
          parseWithPreset(request, settings, decodeMessagesChat, { api: "messages", ...use }),
          ({ parsed }) => parsed
        )
      )
    : parseWithPreset(request, settings, decodeChatRequest, { api: "chat", ...use })

const loadResponses = loadOnce(() => import("../../domains/responses/translation.ts"))
const loadMessages = loadOnce(() => import("../../domains/messages/translation.ts"))

/** Fields that only this operation has. A null counts as absent. */
const operationFields: ReadonlyArray<readonly [OperationName, ReadonlyArray<string>]> = [
  ["decisions", ["questions"]],
  ["chat", ["messages"]],
  ["transcriptions", ["input_audio"]],
  ["speech", ["voice", "speed"]],
  ["embeddings", ["input"]],
  ["rerank", ["documents"]],
  ["videos", ["prompt", "frame_images", "input_references", "previous_job_id"]]
]

const findOperationName = (request: unknown): OperationName | undefined =>
  Predicate.isObject(request)
    ? operationFields.find(([, names]) => names.some((name) => request[name] != null))?.[0]
    : undefined

const unrecognizedRequest = new InvalidRequest({
  path: [],
  problem:
    "must be a Decision (with questions), a chat (with messages), a response or embeddings (with input), a rerank (with documents), speech (with input and voice), a transcription (with input_audio), images (with prompt) or a video (with prompt, frame_images, input_references or previous_job_id)"
})
