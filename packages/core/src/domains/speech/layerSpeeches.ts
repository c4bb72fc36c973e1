/** The work of speech. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { makeTraceTagger } from "../../tenants/auth/makeTraceTagger.ts"
import { requireModelAccess } from "../../tenants/auth/permissions.ts"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import { withTrace } from "../../engine/observability/tracing/traceContext.ts"
import type { SpeechCapability } from "../../engine/upstreams/SpeechCapability.ts"
import type { Upstream } from "../../engine/upstreams/Upstream.ts"
import { Settings } from "../../instance/Settings.ts"
import type { RouteAttempt } from "../../routing/attempt/RouteAttempt.ts"
import type { Candidate } from "../../routing/Candidate.ts"
import { applyEdits } from "../../engine/filters/TextSlot.ts"
import { ContentFilters, type ScreenedTexts } from "../../routing/filters/ContentFilters.ts"
import * as Preferences from "../../routing/Preferences.ts"
import { addParameters, addProviderOptions } from "../../routing/record/oneModelTexts.ts"
import { RouteRecorder } from "../../routing/record/RouteRecorder.ts"
import type { RouteObserver, RouteQuery } from "../../routing/RouteQuery.ts"
import { Routing, type RoutingError } from "../../routing/Routing.ts"
import { mediaTypes } from "../../values/audio/AudioFormat.ts"
import * as GenerationId from "../../values/ids/GenerationId.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { makePendingRuns } from "../../values/PendingRuns.ts"
import { ReadAheadBuffer } from "../../values/push/ReadAheadBuffer.ts"
import { Speeches, type SpeechError, type SpeechStream } from "./Speeches.ts"
import type { ParsedSpeech } from "./parseSpeechRequest.ts"
import { SpeechWork } from "./SpeechWork.ts"

export const layerSpeeches = Layer.effect(
  Speeches,
  Effect.gen(function* () {
    const routing = yield* Routing
    const recorder = yield* RouteRecorder
    const random = yield* Random.Random
    const clock = yield* Clock.Clock
    const settings = yield* Settings
    const afterwards = yield* makePendingRuns(yield* Effect.scope)
    const addTraceTags = makeTraceTagger(settings.traceTags)
    const toQuery = (caller: Caller, parsed: ParsedSpeech) =>
      toSpeechQuery(addTraceTags(caller, parsed.request.trace), parsed)

    const filters = yield* ContentFilters

    const route = (
      caller: Caller,
      parsed: ParsedSpeech,
      id: GenerationId.GenerationId,
      opened: (candidate: Candidate) => void,
      buffer: ReadAheadBuffer<Uint8Array, RoutingError>,
      listener: RouteObserver | undefined
    ) => {
      const attempts: Array<RouteAttempt> = []
      const work = new SpeechWork(
        parsed,
        { opened, push: (pieces) => buffer.push(pieces), afterwards },
        { clock, settings }
      )
      return recorder.route(toQuery(caller, parsed), work, {
        id,
        startedAt: clock.currentTimeMillisUnsafe(),
        labels: parsed.request,
        isStreamed: true,
        attempts,
        listener,
        toAnswerFacts: ({ id: upstreamId, model }) =>
          upstreamId === undefined ? { model } : { model, upstreamId: truncateText(upstreamId) },
        toContent: () => ({ bytes: parsed.bytes, input: toInput(parsed) })
      })
    }

    const submit = Effect.fnUntraced(function* (
      caller: Caller,
      given: ParsedSpeech,
      listener: RouteObserver | undefined
    ) {
      yield* requireModelAccess(caller)
      const parsed = filters.isIdle(caller)
        ? given
        : yield* filters.screen(
            caller,
            given,
            () => Effect.succeed(speechTexts),
            listener?.requestId
          )
      const id = GenerationId.drawSpeechId(clock, random)
      const buffer = new ReadAheadBuffer<Uint8Array, RoutingError>()
      const begun = yield* Deferred.make<Candidate, RoutingError>()
      const open = (exit: Exit.Exit<Candidate, RoutingError>) =>
        void Deferred.doneUnsafe(begun, exit)
      const routed = yield* Effect.forkScoped(
        Effect.onExit(
          Effect.suspend(() =>
            route(caller, parsed, id, (it) => open(Exit.succeed(it)), buffer, listener)
          ),
          (exit) =>
            Effect.sync(() => {
              buffer.end(Exit.asVoid(exit))
              if (Exit.isFailure(exit)) open(Exit.failCause(exit.cause))
            })
        ),
        { startImmediately: true }
      )
      const { endpoint, providerName } = yield* Deferred.await(begun)
      const stream: SpeechStream = {
        id,
        model: endpoint.model,
        provider: providerName,
        contentType: mediaTypes[parsed.format],
        bytes: Stream.ensuring(buffer.values, Fiber.interrupt(routed))
      }
      return stream
    })

    return {
      submit: (caller, parsed, observer) =>
        withTrace<SpeechStream, SpeechError, Scope.Scope>(
          () => submit(caller, parsed, observer),
          parsed.request.trace,
          "speech",
          observer
        ),
      plan: (caller, parsed, replay) => routing.plan(toQuery(caller, parsed), replay)
    }
  })
).pipe(Layer.provide(RouteRecorder.layer))

/** What is spoken, and how. */
const speechTexts: ScreenedTexts<ParsedSpeech> = {
  addTexts: ({ parameters, providerOptions, reference, request }, slots) => {
    slots.addContent(request, "input", "input", "user")
    slots.addContent(request, "instructions", "instructions", "system")
    if (reference !== undefined) slots.addContent(reference, "text", "input_references", "user")
    addParameters(parameters, slots)
    addProviderOptions(providerOptions, slots)
  },
  edit: (given, edits) => {
    const parsed = applyEdits(given, edits)
    return { ...parsed, characters: Array.from(parsed.request.input).length }
  }
}

/** Without the recording, which is large and somebody's voice. */
const toInput = ({ parameters, request }: ParsedSpeech) => {
  const { input, instructions, response_format, speed, voice } = request
  return omitUndefined({ ...parameters, input, instructions, response_format, speed, voice })
}

const toSpeechQuery = (
  caller: Caller,
  { characters, filtered, format, ignored, parameters, reference, request }: ParsedSpeech
): RouteQuery<SpeechCapability> => ({
  caller,
  models: [request.model],
  operation: "speech",
  capability: getSpeechCapability,
  ...(request.user === undefined ? undefined : { externalUser: request.user }),
  ...(filtered === undefined ? undefined : { filtered }),
  preferences: request.provider ?? Preferences.none,
  requirements: {
    parameters: [
      ...Object.keys(parameters),
      ...(["instructions", "speed"] as const).filter((name) => request[name] !== undefined)
    ],
    ...(ignored === undefined ? undefined : { ignoredParameters: ignored }),
    inputTokens: 0,
    outputTokens: 0,
    characters,
    speech: { format, clonesVoice: reference !== undefined }
  }
})

const getSpeechCapability = ({ speech }: Upstream): SpeechCapability | undefined => speech
