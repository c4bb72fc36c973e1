/** Turns what a step says into the response to one request. */
import type { Answer } from "./Answer.ts"
import { chatAnswer } from "./chatAnswer.ts"
import type { Content } from "./Content.ts"
import { decisionsAnswer } from "./decisionsAnswer.ts"
import type { Dialect } from "./Dialect.ts"
import { encodeEvent } from "./encodeEvent.ts"
import { complaint, errorAnswer } from "./errorAnswer.ts"
import { Gate } from "./Gate.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { videoAnswer } from "./videoAnswer.ts"
import type { VideoBook } from "./VideoBook.ts"

export const answerTo = (
  request: RecordedRequest,
  dialect: Dialect | undefined,
  content: Content,
  videos: VideoBook
): Answer => {
  switch (content.type) {
    case "raw": {
      const { body, headers, status } = content
      return { status, headers, body: typeof body === "string" ? Buffer.from(body) : body }
    }
    case "events":
      return {
        status: 200,
        headers: { "content-type": "text/event-stream" },
        body: content.events.map((event) =>
          typeof event === "number" || event instanceof Gate ? event : encodeEvent(event)
        )
      }
    case "error":
      return errorAnswer(dialect, content)
    case "decision":
    case "chat":
    case "logprobs":
    case "refusal":
      if (dialect === "decisions") return decisionsAnswer(request, content)
      if (dialect === "chat") return chatAnswer(request, content)
      if (dialect !== undefined) return videoAnswer(request, content, videos)
      return complaint(dialect, 404, `No provider listens at ${request.method} ${request.path}`)
  }
}
