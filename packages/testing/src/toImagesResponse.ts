/** Answers requests for images, of OpenAI's API, of OpenRouter's and of Google's, whole or streamed. */
import * as answer from "./ScriptedResponse.ts"
import type { ScriptedResponse } from "./ScriptedResponse.ts"
import type { Content, ImageContent, Timeline } from "./Content.ts"
import type { Dialect } from "./Dialect.ts"
import { encodeEvent } from "./encodeEvent.ts"
import { findFormField } from "./findFormField.ts"
import { getProperty } from "./getProperty.ts"
import { imageOf } from "./imageOf.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { ScriptError } from "./ScriptError.ts"
import { toErrorResponse, toScriptErrorResponse } from "./toErrorResponse.ts"

type ImageDialect = Extract<Dialect, "gemini" | "images" | "imagen" | "openai_images">

/** The default step of a server is a Decision, which means a correct answer. */
export const toImagesResponse = (
  request: RecordedRequest,
  dialect: ImageDialect,
  content: Content
): ScriptedResponse => {
  if (content.type === "refusal") return refuse(dialect)
  if (content.type !== "images" && content.type !== "decision") {
    throw new ScriptError(`images have no ${content.type} answer`)
  }
  const given: ImageContent =
    content.type === "images" ? content : { type: "images", report: content.report }
  const asked = readRequest(request, dialect)
  if (asked === undefined) {
    return toScriptErrorResponse(dialect, 400, "model and prompt are required")
  }
  const images = makeImages(asked, given)
  switch (dialect) {
    case "gemini":
      return answer.makeJsonResponse(toContentAnswer(asked, given, images))
    case "imagen":
      return answer.makeJsonResponse({
        predictions: images.map((data) => ({ bytesBase64Encoded: data, mimeType: "image/png" }))
      })
    case "images":
    case "openai_images":
      return asked.isStreamed
        ? toStream(asked, given, images)
        : answer.makeJsonResponse(toList(asked, given, images))
  }
}

interface AskedImages {
  readonly dialect: ImageDialect
  readonly model: string
  readonly prompt: string
  readonly n: number
  readonly size: string | undefined
  readonly isStreamed: boolean
  readonly isEdit: boolean
  readonly previews: number
}

const readRequest = (request: RecordedRequest, dialect: ImageDialect): AskedImages | undefined => {
  const { body, model, path, raw } = request
  const find = (name: string): unknown =>
    body === undefined ? findFormField(raw, name) : getProperty(body, name)
  const prompt =
    dialect === "imagen"
      ? getProperty(getItem(getProperty(body, "instances")), "prompt")
      : dialect === "gemini"
        ? getProperty(getItem(getProperty(getItem(getProperty(body, "contents")), "parts")), "text")
        : find("prompt")
  const n =
    dialect === "imagen" ? getProperty(getProperty(body, "parameters"), "sampleCount") : find("n")
  const size = find("size")
  const previews = find("partial_images")
  if (model === undefined || typeof prompt !== "string" || prompt === "") return undefined
  return {
    dialect,
    model,
    prompt,
    n: dialect === "gemini" ? 1 : Number(n ?? 1),
    size: typeof size === "string" ? size : undefined,
    isStreamed: String(find("stream")) === "true",
    isEdit: path.endsWith("/edits"),
    previews: Number(previews ?? 2)
  }
}

const getItem = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)

const makeImages = (
  { n, size }: AskedImages,
  { flaw, images, size: made = size }: ImageContent
): ReadonlyArray<string> => {
  const files = images ?? Array.from({ length: n }, (_, number) => imageOf(made, number))
  if (flaw === undefined) return files
  switch (flaw) {
    case "no_image":
      return []
    case "extra_image":
      return [...files, imageOf(made, files.length)]
    case "not_base64":
      return files.map(() => "<html>")
  }
}

const countUsage = ({ prompt }: AskedImages, { report }: ImageContent, images: number) =>
  report.usage ?? {
    inputTokens: Math.ceil(prompt.length / 4),
    outputTokens: 1_056 * images
  }

const toUsage = (asked: AskedImages, content: ImageContent, images: number) => {
  if (content.omitsUsage === true) return undefined
  const { inputTokens, outputTokens } = countUsage(asked, content, images)
  const { cost } = content.report
  return {
    usage:
      asked.dialect === "openai_images"
        ? {
            input_tokens: inputTokens,
            output_tokens: outputTokens,
            total_tokens: inputTokens + outputTokens,
            input_tokens_details: { text_tokens: inputTokens, image_tokens: 0 },
            ...content.report.usageDetails
          }
        : {
            prompt_tokens: inputTokens,
            completion_tokens: outputTokens,
            total_tokens: inputTokens + outputTokens,
            ...(cost === undefined ? undefined : { cost }),
            ...content.report.usageDetails
          }
  }
}

const toList = (asked: AskedImages, content: ImageContent, images: ReadonlyArray<string>) => ({
  created: 1_900_000_000,
  ...(content.report.id === undefined ? undefined : { id: content.report.id }),
  ...(content.report.model === undefined ? undefined : { model: content.report.model }),
  ...(content.quality === undefined ? undefined : { quality: content.quality }),
  data: images.map((data) => ({
    b64_json: data,
    ...(asked.dialect === "images" ? { media_type: "image/png" } : undefined)
  })),
  ...toUsage(asked, content, images.length)
})

const toStream = (
  asked: AskedImages,
  content: ImageContent,
  images: ReadonlyArray<string>
): ScriptedResponse => {
  const prefix = asked.isEdit ? "image_edit" : "image_generation"
  const { beforeImages, error } = content
  const previews = Array.from({ length: asked.previews }, (_, index) => ({
    type: `${prefix}.partial_image`,
    partial_image_index: index,
    b64_json: imageOf("64x64", index)
  }))
  const ends =
    error === undefined
      ? images.map((data, index) => ({
          type: `${prefix}.completed`,
          b64_json: data,
          created_at: 1_900_000_000,
          ...(content.quality === undefined ? undefined : { quality: content.quality }),
          ...(index === images.length - 1 ? toUsage(asked, content, images.length) : undefined)
        }))
      : [{ type: "error", error: { message: error, code: "server_error" } }]
  const body: Timeline<Uint8Array> = [
    ...previews.map(toText),
    ...(beforeImages === undefined ? [] : [beforeImages]),
    ...ends.map(toText),
    ...(asked.dialect === "images" ? [encodeEvent({ data: "[DONE]" })] : [])
  ]
  return { status: 200, headers: { "content-type": "text/event-stream" }, body }
}

const toText = (event: object): Uint8Array => encodeEvent({ data: JSON.stringify(event) })

const toContentAnswer = (
  asked: AskedImages,
  content: ImageContent,
  images: ReadonlyArray<string>
) => {
  const { inputTokens, outputTokens } = countUsage(asked, content, images.length)
  return {
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            { text: "Here it is." },
            ...images.map((data) => ({ inlineData: { mimeType: "image/png", data } }))
          ]
        },
        finishReason: "STOP"
      }
    ],
    modelVersion: content.report.model ?? asked.model,
    ...(content.report.id === undefined ? undefined : { responseId: content.report.id }),
    ...(content.omitsUsage === true
      ? undefined
      : {
          usageMetadata: {
            promptTokenCount: inputTokens,
            candidatesTokenCount: outputTokens,
            totalTokenCount: inputTokens + outputTokens
          }
        })
  }
}

const refuse = (dialect: ImageDialect): ScriptedResponse => {
  switch (dialect) {
    case "gemini":
      return answer.makeJsonResponse({
        candidates: [{ finishReason: "IMAGE_SAFETY", finishMessage: "Unable to show the image." }]
      })
    case "imagen":
      return answer.makeJsonResponse({
        predictions: [{ raiFilteredReason: "The prompt violates the policy." }]
      })
    case "images":
    case "openai_images":
      return toErrorResponse(dialect, {
        type: "error",
        code: 400,
        status: 400,
        kind: "moderation_blocked",
        message: "Your request was rejected by the safety system.",
        headers: {}
      })
  }
}
