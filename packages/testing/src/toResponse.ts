/** Converts the content of a step to the response to one request. */
import { makeJsonResponse, type ScriptedResponse } from "./ScriptedResponse.ts"
import { toChatResponse } from "./toChatResponse.ts"
import type { Content, Timeline } from "./Content.ts"
import type { ServerSentEvent } from "./ServerSentEvent.ts"
import { toDecisionsResponse } from "./toDecisionsResponse.ts"
import type { Dialect } from "./Dialect.ts"
import { toEmbeddingsResponse } from "./toEmbeddingsResponse.ts"
import { encodeEvent } from "./encodeEvent.ts"
import { toScriptErrorResponse, toErrorResponse } from "./toErrorResponse.ts"
import { Gate } from "./Gate.ts"
import { getProperty } from "./getProperty.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import {
  asksForSpeech,
  asksForTranscript,
  toGeminiSpeech,
  toGeminiTranscript
} from "./toGeminiAudio.ts"
import { toGeminiResponse } from "./toGeminiResponse.ts"
import { toImagesResponse } from "./toImagesResponse.ts"
import { toMessagesResponse } from "./toMessagesResponse.ts"
import { toRerankResponse } from "./toRerankResponse.ts"
import { toResponsesResponse } from "./toResponsesResponse.ts"
import { toSpeechResponse, toTranscriptResponse } from "./toAudioResponse.ts"
import { toVideoResponse } from "./toVideoResponse.ts"
import type { VideoJobs } from "./VideoJobs.ts"

export const toResponse = (
  request: RecordedRequest,
  dialect: Dialect | undefined,
  content: Content,
  videos: VideoJobs
): ScriptedResponse => {
  switch (content.type) {
    case "raw": {
      const { body, headers, status } = content
      return { status, headers, body: typeof body === "string" ? Buffer.from(body) : body }
    }
    case "events":
      return toEventStream(content.events)
    case "quirk": {
      const { events, id, whole } = content.quirk
      const isStreamed =
        getProperty(request.body, "stream") === true || request.path.includes(":stream")
      if (isStreamed && events !== undefined) return toEventStream(events)
      if (!isStreamed && whole !== undefined) return makeJsonResponse(whole)
      return toScriptErrorResponse(
        dialect,
        500,
        `${id} has no ${isStreamed ? "stream" : "whole answer"}`
      )
    }
    case "error":
      return toErrorResponse(dialect, content)
    case "audio":
      return dialect === "gemini"
        ? toGeminiSpeech(request, content)
        : toSpeechResponse(request, content)
    case "embeddings":
    case "ranking":
      if (dialect === "rerank") return toRerankResponse(request, content)
      if (dialect === "embeddings" || dialect === "gemini_embeddings")
        return toEmbeddingsResponse(request, dialect, content)
      return toScriptErrorResponse(
        dialect,
        500,
        `There is no ${content.type} answer at ${request.path}`
      )
    case "images":
      if (isImageDialect(dialect)) return toImagesResponse(request, dialect, content)
      return toScriptErrorResponse(dialect, 500, `There are no images at ${request.path}`)
    case "decision":
    case "chat":
    case "logprobs":
    case "refusal":
      if (dialect === "gemini" && content.type === "decision") {
        if (asksForSpeech(request)) return toGeminiSpeech(request)
        if (asksForTranscript(request)) return toGeminiTranscript(request)
      }
      if (
        isImageDialect(dialect) &&
        (dialect !== "gemini" || (content.type !== "chat" && asksForImages(request)))
      )
        return toImagesResponse(request, dialect, content)
      if (dialect === "decisions") return toDecisionsResponse(request, content)
      if (dialect === "chat") return toChatResponse(request, content)
      if (dialect === "responses") return toResponsesResponse(request, content)
      if (dialect === "messages") return toMessagesResponse(request, content)
      if (dialect === "gemini") return toGeminiResponse(request, content)
      if (dialect === "speech") return toSpeechResponse(request)
      if (dialect === "transcriptions") return toTranscriptResponse(request, content)
      if (dialect === "rerank") return toRerankResponse(request, content)
      if (dialect === "embeddings" || dialect === "gemini_embeddings")
        return toEmbeddingsResponse(request, dialect, content)
      if (dialect !== undefined && !isImageDialect(dialect))
        return toVideoResponse(request, content, videos)
      return toScriptErrorResponse(
        dialect,
        404,
        `No provider listens at ${request.method} ${request.path}`
      )
  }
}

const isImageDialect = (
  dialect: Dialect | undefined
): dialect is "gemini" | "images" | "imagen" | "openai_images" =>
  dialect === "images" ||
  dialect === "openai_images" ||
  dialect === "imagen" ||
  dialect === "gemini"

/** Gemini makes images as part of its answers. */
const asksForImages = ({ body }: RecordedRequest): boolean => {
  const modalities = getProperty(getProperty(body, "generationConfig"), "responseModalities")
  return Array.isArray(modalities) && modalities.includes("IMAGE")
}

const toEventStream = (events: Timeline<ServerSentEvent>): ScriptedResponse => ({
  status: 200,
  headers: { "content-type": "text/event-stream" },
  body: events.map((event) =>
    typeof event === "number" || event instanceof Gate ? event : encodeEvent(event)
  )
})
