/** Handlers of the operations that make images. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { OpenAiWriter, openRouterWriter, type ImageWriter } from "./imageWriters.ts"
import { decodeImageRequest, type ParsedImages } from "../../domains/images/parseImageRequest.ts"
import { Images } from "../../domains/images/Images.ts"
import { decodeEditRequest } from "../../domains/images/parseEditRequest.ts"
import { Drain } from "../../instance/Drain.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import type { ParseOptions, ParseResult } from "../../routing/parseRequest.ts"
import { fromStream } from "../../values/push/PushStream.ts"
import { chatLimit } from "../body/BodyLimit.ts"
import { isJson, isMultipart } from "../body/contentType.ts"
import type { FormLimit } from "../body/FormReader.ts"
import { makeReadForm } from "../body/readForm.ts"
import { decodeEditForm } from "./decodeEditForm.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { toGenerationIdHeader } from "../errors/responseHeaders.ts"
import type { ErrorRules } from "../errors/toErrorResponse.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import type { Handlers } from "../operation/Handler.ts"
import { type AnyResponse, writeAnswer } from "../operation/JsonAnswer.ts"
import { encodeResponse } from "../operation/Reply.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import { eventStreamResponse } from "../operation/serverSentEvents.ts"
import type { ImagesApi } from "./ImagesApi.ts"

type Decode = (json: unknown, options: ParseOptions) => ParseResult<ParsedImages>
type Read = (context: RequestContext) => Effect.Effect<ParsedImages, ExpectedError>

export const imagesHandlers = Effect.gen(function* () {
  const images = yield* Images
  const settings = yield* Settings
  const clock = yield* Clock.Clock
  const drain = yield* Drain
  const limit = chatLimit(settings)
  const { keepaliveMillis } = settings

  const readForm = yield* makeReadForm

  const readJson = (decode: Decode): Read =>
    Effect.fnUntraced(function* ({ headers, readBody }) {
      if (!isJson(headers)) return yield* new NotJson()
      const { bytes, json } = yield* readBody(limit)
      const session = headers["x-session-id"]
      return yield* Effect.fromResult(decode(json, { bytes, session, settings }))
    })

  const readJsonEdit = readJson(decodeEditRequest)

  const readEdit: Read = (context) => {
    const { headers, request } = context
    return request === undefined || !isMultipart(headers)
      ? readJsonEdit(context)
      : Effect.flatMap(readForm(request, toFormLimit(settings)), (form) =>
          Effect.fromResult(
            decodeEditForm(form, {
              bytes: form.bytes,
              session: headers["x-session-id"],
              settings
            })
          )
        )
  }

  const answer = Effect.fnUntraced(function* (
    parsed: ParsedImages,
    writer: ImageWriter,
    { caller, routing, scope }: RequestContext
  ): Effect.fn.Return<AnyResponse, ExpectedError> {
    const observer = routing.observeModel(parsed.request.model)
    if (parsed.request.stream !== true) {
      const list = yield* images.submit(caller, parsed, observer)
      return yield* encodeResponse(
        routing.addMetadata(writer.write(list)),
        toGenerationIdHeader(list.id)
      )
    }
    const { events, id } = yield* Effect.provideService(
      images.stream(caller, parsed, observer),
      Scope.Scope,
      scope
    )
    return eventStreamResponse(
      writeAnswer(fromStream(events), writer.events, { clock, drain, keepaliveMillis }, rules),
      toGenerationIdHeader(id)
    )
  })

  const handle =
    (read: Read, writer: ImageWriter) =>
    (_: unknown, context: RequestContext): Effect.Effect<AnyResponse, ExpectedError> =>
      Effect.flatMap(read(context), (parsed) => answer(parsed, writer, context))

  return {
    create: handle(readJson(decodeImageRequest), openRouterWriter),
    generate: handle(readJson(decodeImageRequest), new OpenAiWriter("image_generation")),
    edit: handle(readEdit, new OpenAiWriter("image_edit"))
  } satisfies Handlers<typeof ImagesApi>
})

/** An error within a stream has the codes of the statuses that the operations declare. */
const rules: ErrorRules = {
  statuses: [400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 524, 529],
  unavailableStatus: 502
}

/** Sixteen images, a mask, and every field that clients know. */
const toFormLimit = ({ maxBodyBytes, maxChatBodyBytes }: SettingsShape): FormLimit => ({
  bytes: maxChatBodyBytes,
  setting: "maxChatBodyBytes",
  fieldBytes: maxBodyBytes,
  fileBytes: maxChatBodyBytes,
  parts: 100
})
