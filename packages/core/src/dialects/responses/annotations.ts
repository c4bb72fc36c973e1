/** Citations between the flat form of this API and the nested one of the chat dialect. */
import { isObject } from "../../values/json/isObject.ts"
import { type Json, toList } from "./fields.ts"

const cited = "url_citation"

/** Of annotations of other types, chat has none. */
export const toChatAnnotations = (annotations: unknown): ReadonlyArray<Json> =>
  toList(annotations).flatMap((annotation) => {
    if (!isObject(annotation) || annotation["type"] !== cited) return []
    const { type, ...fields } = annotation
    return [{ type, [cited]: fields }]
  })

/** Typed clients require all five fields. */
export const fromChatAnnotations = (annotations: unknown): ReadonlyArray<Json> =>
  toList(annotations).flatMap((annotation) => {
    const fields = isObject(annotation) ? annotation[cited] : undefined
    if (!isObject(fields) || typeof fields["url"] !== "string") return []
    const { end_index, start_index, title, url } = fields
    return [
      {
        type: cited,
        url,
        title: typeof title === "string" ? title : "",
        start_index: typeof start_index === "number" ? start_index : 0,
        end_index: typeof end_index === "number" ? end_index : 0
      }
    ]
  })
