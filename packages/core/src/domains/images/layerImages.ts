/** The service of images, which is loaded with its first call. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Cause from "effect/Cause"
import * as Stream from "effect/Stream"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { noOutboundHttp, OutboundHttp } from "../../engine/outbound/OutboundHttp.ts"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import { logDefect } from "../../engine/upstreams/contain.ts"
import type { ImageCapability, ImageProgress } from "../../engine/upstreams/ImageCapability.ts"
import type { UpstreamDefect } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { Upstream } from "../../engine/upstreams/Upstream.ts"
import { Settings } from "../../instance/Settings.ts"
import {
  type RouteAttempt,
  sumAttemptUsage,
  sumCost,
  sumUpstreamCost
} from "../../routing/attempt/RouteAttempt.ts"
import { isByok } from "../../routing/Candidate.ts"
import * as Preferences from "../../routing/Preferences.ts"
import { makeOneModelRoute } from "../../routing/record/makeOneModelRoute.ts"
import { addProviderOptions } from "../../routing/record/oneModelTexts.ts"
import { RouteRecorder } from "../../routing/record/RouteRecorder.ts"
import type { RouteQuery } from "../../routing/RouteQuery.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import * as GenerationId from "../../values/ids/GenerationId.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { fitCandidate, listConditions, listParameters } from "./fitImages.ts"
import type { ImageEvent, ImageList, ImageUsage } from "./ImageList.ts"
import { type ImageError, Images } from "./Images.ts"
import { type CheckedImages, extendForImages, makeImageWork } from "./makeImageWork.ts"
import type { ParsedImages } from "./parseImageRequest.ts"
import { toImageContent } from "./toImageContent.ts"

/** A request whose caller receives parts of the answer. */
interface StreamedImages extends ParsedImages {
  readonly onBegin?: (id: GenerationId.GenerationId) => void
  readonly onProgress?: (progress: ImageProgress) => void
}

export const layerImages = Layer.effect(
  Images,
  Effect.gen(function* () {
    const catalog = yield* Catalog
    const settings = extendForImages(yield* Settings)
    const clock = yield* Clock.Clock
    const outbound = yield* OutboundHttp
    // Where references cannot be fetched, an upstream that takes addresses is tried.
    const references = outbound === noOutboundHttp ? undefined : outbound
    const runFork = Effect.runForkWith(yield* Effect.context())
    const logOnce = (defect: UpstreamDefect): void => void runFork(logDefect(defect))

    const toQuery = (caller: Caller, parsed: StreamedImages): RouteQuery<ImageCapability> => {
      const { inputTokens, parameters, request } = parsed
      const { options: _, ...preferences } = request.provider ?? {}
      const sent = Object.keys({ ...listParameters(parsed), ...parameters })
      return {
        caller,
        models: [request.model],
        operation: "images",
        capability: getImageCapability,
        ...(request.user === undefined ? undefined : { externalUser: request.user }),
        preferences: request.provider === undefined ? Preferences.none : preferences,
        timeoutMillis: settings.imageTimeoutMillis,
        priceCandidate: fitCandidate(parsed, () => catalog.current().upstreams, logOnce),
        requirements: {
          parameters: sent,
          mandatoryParameters: listConditions(parsed),
          inputTokens,
          outputTokens: 0
        }
      }
    }

    const route = yield* makeOneModelRoute({
      span: "images",
      drawId: GenerationId.drawImageId,
      onBegin: ({ onBegin }: StreamedImages, id) => onBegin?.(id),
      isStreamed: ({ onProgress }: StreamedImages) => onProgress !== undefined,
      toQuery,
      makeWork: (parsed: StreamedImages) =>
        makeImageWork(parsed, { settings, references }, parsed.onProgress),
      addTexts: ({ request }, slots) => {
        slots.addContent(request, "prompt", "prompt", "user")
        addProviderOptions(request.provider?.options, slots)
      },
      toAnswerFacts: ({ reply: { id, model } }: CheckedImages) =>
        id === undefined ? { model } : { model, upstreamId: truncateText(id) },
      toContent: toImageContent,
      toAnswer: (id, _: StreamedImages, { candidate, value }, attempts): ImageList => ({
        id,
        created: Math.floor(clock.currentTimeMillisUnsafe() / 1_000),
        model: candidate.endpoint.model,
        provider: candidate.providerName,
        data: value.images.map(({ base64, mediaType }) => ({
          b64_json: base64,
          ...(mediaType === undefined ? undefined : { media_type: mediaType })
        })),
        usage: toImageUsage(attempts, isByok(candidate))
      })
    })

    return {
      ...route,
      stream: Effect.fnUntraced(function* (caller, parsed, observer) {
        const queue = yield* Queue.unbounded<ImageEvent, ImageError | Cause.Done>()
        const opened = yield* Deferred.make<void, ImageError>()
        let id: GenerationId.GenerationId | undefined
        const push = (event: ImageEvent): void => {
          Queue.offerUnsafe(queue, event)
          Deferred.doneUnsafe(opened, Exit.void)
        }
        const streamed: StreamedImages = {
          ...parsed,
          onBegin: (drawn) => {
            id = drawn
          },
          onProgress: (progress) => push(toProgressEvent(progress))
        }
        yield* Effect.forkScoped(
          Effect.onExit(
            Effect.suspend(() => route.submit(caller, streamed, observer)),
            (exit) =>
              Effect.sync(() => {
                if (Exit.isSuccess(exit)) {
                  for (const event of toImageEvents(exit.value)) push(event)
                  Queue.endUnsafe(queue)
                } else {
                  Deferred.doneUnsafe(opened, Exit.failCause(exit.cause))
                  Queue.failCauseUnsafe(queue, exit.cause)
                }
              })
          )
        )
        yield* Deferred.await(opened)
        // It was drawn before the first event.
        return { id: id!, events: Stream.fromQueue(queue) }
      })
    }
  })
).pipe(Layer.provide(RouteRecorder.layer))

const getImageCapability = ({ images }: Upstream): ImageCapability | undefined => images

const toProgressEvent = (progress: ImageProgress): ImageEvent =>
  progress.type === "preview"
    ? {
        type: "image_generation.partial_image",
        partial_image_index: progress.index,
        b64_json: progress.base64
      }
    : { type: "image_generation.text_chunk", phase: progress.phase, text: progress.text }

const toImageEvents = ({ created, data, usage }: ImageList): ReadonlyArray<ImageEvent> =>
  data.map((image, index) => ({
    type: "image_generation.completed",
    ...image,
    created,
    ...(index === data.length - 1 ? { usage } : undefined)
  }))

const toImageUsage = (
  attempts: ReadonlyArray<RouteAttempt>,
  isOwnCredential: boolean
): ImageUsage => {
  const {
    imageOutputTokens,
    imageTokens,
    inputTokens = 0,
    outputTokens = 0
  } = sumAttemptUsage(attempts) ?? {}
  const cost = sumCost(attempts)
  const upstreamCost = sumUpstreamCost(attempts)
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(imageTokens === undefined
      ? undefined
      : { prompt_tokens_details: { image_tokens: imageTokens } }),
    ...(imageOutputTokens === undefined
      ? undefined
      : { completion_tokens_details: { image_tokens: imageOutputTokens } }),
    ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) }),
    is_byok: isOwnCredential,
    ...(upstreamCost === undefined
      ? undefined
      : {
          cost_details: {
            upstream_inference_cost: NanoUsd.toUsdNumber(upstreamCost),
            upstream_inference_prompt_cost: 0,
            upstream_inference_completions_cost: NanoUsd.toUsdNumber(upstreamCost)
          }
        })
  }
}
