/** Transcribes recordings in process, with the checks of the HTTP API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { CustomerRefused, NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import { Callers, resolveCallerWith } from "../../tenants/auth/Callers.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import { parseInProcess } from "../../routing/parseRequest.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { InvalidRequest, RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import type { RoutedTranscript } from "./Transcript.ts"
import {
  decodeTranscription,
  decodeTranscriptionRequest,
  type ParsedTranscription,
  toAudioFile
} from "./parseTranscription.ts"
import type { TranscriptionRequest } from "./TranscriptionRequest.ts"
import { Transcriptions } from "./Transcriptions.ts"

export type TranscriptionCallError =
  | CustomerRefused
  | NotPermitted
  | RoutingError
  | InvalidRequest
  | RequestTooLarge

/** Transcribes the recording of a request for a caller (default: the application itself). */
export const makeTranscribe = (services: Context.Context<Callers | Transcriptions>) => {
  const callers = Context.get(services, Callers)
  const transcriptions = Context.get(services, Transcriptions)
  const settings = Context.get(services, Settings)
  return (
    request: TranscriptionRequest,
    caller?: CallerConfig,
    observer?: RouteObserver
  ): Effect.Effect<RoutedTranscript, TranscriptionCallError> =>
    Effect.flatMap(resolveCallerWith(callers, caller), (resolved) =>
      Effect.flatMap(parse(request, settings), (parsed) =>
        transcriptions.submit(resolved, parsed, observer)
      )
    )
}

/** Bytes cannot be in JSON, so that they are taken out before the request is copied. */
const parse = (
  request: TranscriptionRequest,
  settings: SettingsShape
): Effect.Effect<ParsedTranscription, InvalidRequest | RequestTooLarge> => {
  const audio: unknown = Object(request).input_audio
  if (!Predicate.isObject(audio) || !(audio["data"] instanceof Uint8Array)) {
    return parseInProcess(request, settings, decodeTranscriptionRequest)
  }
  const { input_audio: _, ...fields } = request
  const file = toAudioFile(new Uint8Array(audio["data"]), String(audio["format"]), [
    "input_audio",
    "format"
  ])
  return Effect.flatMap(Effect.fromResult(file), (file) =>
    parseInProcess(fields, settings, (json, options) =>
      decodeTranscription(json, file, {
        ...options,
        bytes: options.bytes + file.bytes.length
      })
    )
  )
}
