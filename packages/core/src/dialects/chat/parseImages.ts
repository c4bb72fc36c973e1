/** Parses the pictures of an answer, for which the chat dialect has a field of its own. */
import type { ImagePart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/isObject.ts"
import { parseMediaUrl } from "../../conversation/parseMediaUrl.ts"

/** The pictures in the `images` of a message or a delta. */
export const parseImages = (images: unknown): ReadonlyArray<ImagePart> =>
  (Array.isArray(images) ? images : []).flatMap((image: unknown) => {
    const { image_url: linked } = isObject(image) ? image : {}
    const url = isObject(linked) ? linked["url"] : undefined
    return typeof url === "string" ? [{ type: "image", source: parseMediaUrl(url) }] : []
  })
