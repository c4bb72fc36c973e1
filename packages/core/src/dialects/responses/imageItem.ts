/** The item of a response for a picture, as OpenAI's own models answer with; those at an address have no place. */
import type { MediaEvent } from "../../conversation/Answer.ts"
import type { ImagePart, MediaSource } from "../../conversation/Part.ts"
import type { Json } from "./fields.ts"
import type { OutputItems } from "./OutputItems.ts"

/** Whether an item can say it; other media have no place in a response. */
export const isShownImage = ({ source, type }: MediaEvent["media"]): boolean =>
  type === "image" && source.type === "base64"

/** Undefined: there is no picture yet. */
export const parseImageItem = ({ output_format: format, result }: Json): ImagePart | undefined =>
  typeof result === "string" && result !== ""
    ? {
        type: "image",
        source: {
          type: "base64",
          mediaType: `image/${typeof format === "string" ? format : "png"}`,
          data: result
        }
      }
    : undefined

export const addImageItem = (items: OutputItems, source: MediaSource): void => {
  if (source.type !== "base64") return
  const id = items.makeId("ig")
  const head = { type: "image_generation_call", id }
  const item = items.begin(id, { ...head, status: "in_progress", result: null }, (status) => ({
    ...head,
    status,
    result: source.data,
    output_format: source.mediaType.replace(/^image\//, "")
  }))
  items.emit("response.image_generation_call.completed", { item_id: id, output_index: item.index })
  items.end(item, false)
}
