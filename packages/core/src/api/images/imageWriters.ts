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

const withOpenAiNames = (usage: ImageUsage) => ({
  ...usage,
  input_tokens: usage.prompt_tokens,
  output_tokens: usage.completion_tokens
})
