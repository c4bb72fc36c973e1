/** Handlers of transcriptions, whose recording is in JSON or in a form. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import {
  decodeTranscription,
  decodeTranscriptionRequest,
  type ParsedTranscription,
  toUploadedAudio
} from "../../domains/transcription/parseTranscription.ts"
import { Transcriptions } from "../../domains/transcription/Transcriptions.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import { failInvalid, type ParseOptions, type ParseResult } from "../../routing/parseRequest.ts"
import { encodeJson } from "../../values/json/encodeJson.ts"
import { parseJson } from "../../values/json/parseJson.ts"
import { setOwn } from "../../values/ownFields.ts"
import { audioLimit } from "../body/BodyLimit.ts"
import { isJson, isMultipart } from "../body/contentType.ts"
import { type Form, type FormLimit, toFieldName } from "../body/FormReader.ts"
import { makeReadForm } from "../body/readForm.ts"
import { toGenerationIdHeader } from "../errors/responseHeaders.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import type { Handlers } from "../operation/Handler.ts"
import { jsonType } from "../operation/JsonAnswer.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import type { TranscriptionApi } from "./TranscriptionApi.ts"

export const transcriptionHandlers = Effect.gen(function* () {
  const { submit } = yield* Transcriptions
  const settings = yield* Settings
  const readForm = yield* makeReadForm
  const jsonLimit = audioLimit(settings)
  const formLimit = toFormLimit(settings)

  const read = ({
    headers,
    readBody,
    request
  }: RequestContext): Effect.Effect<ParsedTranscription, ExpectedError> => {
    const session = headers["x-session-id"]
    if (request !== undefined && isMultipart(headers)) {
      return Effect.flatMap(readForm(request, formLimit), (form) =>
        Effect.fromResult(decodeForm(form, { bytes: form.bytes, session, settings }))
      )
    }
    return isJson(headers)
      ? Effect.flatMap(readBody(jsonLimit), ({ bytes, json }) =>
          Effect.fromResult(decodeTranscriptionRequest(json, { bytes, session, settings }))
        )
      : Effect.fail(new NotJson())
  }

  return {
    create: Effect.fnUntraced(function* (_, context) {
      const parsed = yield* read(context)
      const { caller, routing } = context
      const observer = routing.observeModel(parsed.request.model)
      const {
        id,
        model: _model,
        provider: _provider,
        ...transcript
      } = yield* submit(caller, parsed, observer)
      // A long recording has many segments.
      const body = yield* encodeJson(routing.addMetadata(transcript))
      return HttpServerResponse.uint8Array(body, {
        contentType: jsonType,
        headers: toGenerationIdHeader(id)
      })
    })
  } satisfies Handlers<typeof TranscriptionApi>
})

/** Far more fields than there are. */
const toFormLimit = ({ maxAudioBytes, maxBodyBytes }: SettingsShape): FormLimit => ({
  bytes: maxAudioBytes + maxBodyBytes,
  setting: "maxAudioBytes",
  fileBytes: maxAudioBytes,
  fieldBytes: maxBodyBytes,
  parts: 64
})

/** The fields of a form are texts; lists have repeated names, with brackets that may be numbered, or without. */
const decodeForm = (form: Form, options: ParseOptions): ParseResult<ParsedTranscription> => {
  const [file, ...others] = form.files
  if (file === undefined) return failInvalid(["file"], "must be a file of the form")
  const other = file.name === "file" ? others[0] : file
  if (other !== undefined) return failInvalid([other.name], "must be the only file, named file")
  const fields: Record<string, unknown> = {}
  for (const { name, value } of form.fields) {
    const key = toFieldName(name)
    if (key === "input_audio") return failInvalid([key], "must be left out beside a file")
    if (key !== name || name === "timestamp_granularities") {
      const list = Object.hasOwn(fields, key) ? fields[key] : []
      setOwn(fields, key, [...(Array.isArray(list) ? list : [list]), value])
      continue
    }
    if (Object.hasOwn(fields, key)) return failInvalid([key], "must be in the form once")
    const parsed = parseField(key, value, options.settings)
    if (Result.isFailure(parsed)) return failInvalid([key], parsed.failure)
    setOwn(fields, key, parsed.success)
  }
  return decodeTranscription(fields, toUploadedAudio(file), options)
}

const parseField = (
  name: string,
  value: string,
  { maxJsonDepth }: SettingsShape
): Result.Result<unknown, string> => {
  switch (name) {
    case "stream":
      return Result.succeed(value === "false" ? false : value)
    case "temperature":
      return value.trim() !== "" && Number.isFinite(Number(value))
        ? Result.succeed(Number(value))
        : Result.fail("must be a number")
    case "trace":
    case "provider":
      return Result.mapError(parseJson(value, maxJsonDepth), () => "must be JSON")
    default:
      return Result.succeed(value)
  }
}
