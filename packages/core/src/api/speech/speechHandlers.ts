/** Handlers of speech. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import { decodeSpeechRequest } from "../../domains/speech/parseSpeechRequest.ts"
import { Speeches } from "../../domains/speech/Speeches.ts"
import { Settings } from "../../instance/Settings.ts"
import { audioLimit, limitUnlessNamed } from "../body/BodyLimit.ts"
import { isJson } from "../body/contentType.ts"
import { toGenerationIdHeader } from "../errors/responseHeaders.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { SpeechApi } from "./SpeechApi.ts"

export const speechHandlers = Effect.gen(function* () {
  const { submit } = yield* Speeches
  const settings = yield* Settings
  const limit = limitUnlessNamed(settings, audioLimit(settings), ["input_references"])
  return {
    create: Effect.fnUntraced(function* (_, { caller, headers, readBody, routing, scope }) {
      if (!isJson(headers)) return yield* new NotJson()
      const { bytes, json } = yield* readBody(limit)
      const parsed = yield* Effect.fromResult(
        decodeSpeechRequest(json, { bytes, session: headers["x-session-id"], settings })
      )
      const speech = yield* Scope.provide(
        submit(caller, parsed, routing.observeModel(parsed.request.model)),
        scope
      )
      return HttpServerResponse.stream(speech.bytes, {
        contentType: speech.contentType,
        headers: {
          ...toGenerationIdHeader(speech.id),
          "cache-control": "no-store, no-transform",
          "x-accel-buffering": "no",
          "x-content-type-options": "nosniff"
        }
      })
    })
  } satisfies Handlers<typeof SpeechApi>
})
