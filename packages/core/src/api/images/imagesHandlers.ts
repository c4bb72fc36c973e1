/** Handlers of the operations that make images. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { readImageFile } from "../../domains/images/imageFile.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { parseJson } from "../../values/json/parseJson.ts"
import { setOwn } from "../../values/ownFields.ts"
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
import { type Form, type FormFile, type FormLimit, toFieldName } from "../body/FormReader.ts"
import { makeReadForm } from "../body/readForm.ts"
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

/**
 * Decodes an edit of images that is a form, as clients of OpenAI's API send it. The files `image`, `image[]` and
 * `images[]` are images to edit, in their order, and `mask` is a mask. Texts are values of fields; those of numbers,
 * booleans and objects are JSON.
 */
const decodeEditForm = (form: Form, options: ParseOptions): ParseResult<ParsedImages> => {
  const body: Record<string, unknown> = {}
  const images: Array<string> = []
  for (const { name, value } of form.fields) {
    const field = toFieldName(name)
    const known = Object.hasOwn(body, field) ? body[field] : undefined
    if (field === "image" || field === "images") images.push(value)
    else if (field !== name && field !== "mask") {
      setOwn(body, field, [...(Array.isArray(known) ? known : []), value])
    } else if (known !== undefined) return failTwice(name)
    else setOwn(body, field, parseField(field, value, options))
  }
  for (const file of form.files) {
    const field = toFieldName(file.name)
    const address = toAddress(file)
    if (address === undefined) return failFile(file, "must be an image in PNG, JPEG, WebP or GIF")
    if (field === "image" || field === "images") images.push(address)
    else if (field === "mask") {
      if (Object.hasOwn(body, field)) return failTwice(file.name)
      setOwn(body, field, address)
    } else return failFile(file, "is no file of an edit; there are image and mask")
  }
  return decodeEditRequest(images.length === 0 ? body : { ...body, image: images }, options)
}

const failFile = ({ name }: FormFile, problem: string): Result.Result<never, InvalidRequest> =>
  Result.fail(new InvalidRequest({ path: [name], problem }))

const failTwice = (name: string): Result.Result<never, InvalidRequest> =>
  Result.fail(new InvalidRequest({ path: [name], problem: "must be in the form once" }))

/** Fields that are no texts in JSON. */
const jsonFields: ReadonlySet<string> = new Set([
  "n",
  "output_compression",
  "partial_images",
  "provider",
  "seed",
  "stream",
  "trace"
])

/** What is no JSON stays a text, which the check of the field refuses. */
const parseField = (name: string, value: string, { settings }: ParseOptions): unknown => {
  if (!jsonFields.has(name)) return value
  const json = parseJson(value, settings.maxJsonDepth)
  return Result.isSuccess(json) ? json.success : value
}

/** The kind of a file is what its bytes say: clients send images as `application/octet-stream`, too. */
const toAddress = ({ bytes, contentType }: FormFile): string | undefined => {
  const base64 = Base64.encode(bytes)
  const { mediaType = contentType } = readImageFile(base64)
  return mediaType.startsWith("image/") ? `data:${mediaType};base64,${base64}` : undefined
}
