/** Events as they are written into a stream. */
import type { ServerSentEvent } from "./ServerSentEvent.ts"

export const encodeEvent = ({ comment, data, event }: ServerSentEvent): Uint8Array => {
  const lines: Array<string> = []
  if (comment !== undefined) lines.push(`: ${comment}`)
  if (event !== undefined) lines.push(`event: ${event}`)
  if (data !== undefined) {
    const text = typeof data === "string" ? data : JSON.stringify(data)
    lines.push(...text.split("\n").map((line) => `data: ${line}`))
  }
  return Buffer.from(`${lines.join("\n")}\n\n`)
}
