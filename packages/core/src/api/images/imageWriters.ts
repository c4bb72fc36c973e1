/** Writes images, whole and in events, in the forms of OpenRouter's API and of OpenAI's. */
import type { ImageEvent, ImageList, ImageUsage } from "../../domains/images/ImageList.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { doneEvent, toEvent } from "../operation/serverSentEvents.ts"
import type { AnswerWriter } from "../operation/JsonAnswer.ts"

/** How an API writes images. */
export interface ImageWriter {
  readonly write: (list: ImageList) => object
  readonly events: AnswerWriter<ImageEvent>
}

/** `[DONE]` ends a stream however it ends: https://openrouter.ai/docs/guides/overview/multimodal/image-generation. */
const toErrorEvent = ({ message, status }: ErrorResponse): string =>
  toEvent({ type: "error", error: { message, code: String(status) } }) + doneEvent

export const openRouterWriter: ImageWriter = {
  write: (list) => list,
  events: {
    write: (events) => events.map(toEvent).join(""),
    end: () => doneEvent,
    fail: toErrorEvent
  }
}

/** The names of https://platform.openai.com/docs/api-reference/images-streaming, which differ for edits. */
export class OpenAiWriter implements ImageWriter {
  readonly #prefix: "image_edit" | "image_generation"
  readonly events: AnswerWriter<ImageEvent>

  constructor(prefix: "image_edit" | "image_generation") {
    this.#prefix = prefix
    this.events = {
      write: (events) => events.map((event) => this.#toText(event)).join(""),
      end: () => doneEvent,
      fail: toErrorEvent
    }
  }

  write(list: ImageList): object {
    return { ...list, usage: withOpenAiNames(list.usage) }
  }

  /** The API has no event for texts. */
  #toText(event: ImageEvent): string {
    switch (event.type) {
      case "image_generation.text_chunk":
        return ""
      case "image_generation.partial_image":
        return this.#write({ ...event, type: `${this.#prefix}.partial_image` })
      case "image_generation.completed": {
        const { created, media_type: mediaType, usage, ...image } = event
        return this.#write({
          ...image,
          type: `${this.#prefix}.completed`,
          created_at: created,
          ...(mediaType === undefined ? undefined : { output_format: mediaType.slice(6) }),
          ...(usage === undefined ? undefined : { usage: withOpenAiNames(usage) })
        })
      }
    }
  }

  #write(event: { readonly type: string; readonly [field: string]: unknown }): string {
    return `event: ${event.type}\n${toEvent(event)}`
  }
}

/** OpenAI's clients require the details of what was read: https://platform.openai.com/docs/api-reference/images/object. */
const withOpenAiNames = (usage: ImageUsage) => {
  const { completion_tokens: written, prompt_tokens: read } = usage
  const drawn = usage.completion_tokens_details?.image_tokens
  return {
    ...usage,
    input_tokens: read,
    input_tokens_details: splitTokens(read, usage.prompt_tokens_details?.image_tokens ?? 0),
    output_tokens: written,
    ...(drawn === undefined ? undefined : { output_tokens_details: splitTokens(written, drawn) })
  }
}

const splitTokens = (all: number, ofImages: number) => ({
  image_tokens: ofImages,
  text_tokens: Math.max(0, all - ofImages)
})
