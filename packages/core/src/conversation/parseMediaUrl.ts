/** Reads where the bytes of a medium are from its URL. */
import type { MediaSource } from "./Part.ts"

/** A `data:` URL in base64 has the bytes; any other URL points to them. */
export const parseMediaUrl = (url: string): MediaSource => {
  const comma = url.indexOf(",")
  const head = /^data:([^;,]*)(?:;[^;,]*)*;base64$/i.exec(url.slice(0, Math.max(comma, 0)))
  return head === null
    ? { type: "url", url }
    : { type: "base64", mediaType: head[1] || "text/plain", data: url.slice(comma + 1) }
}
