/** Server-sent events as the body of a response: https://html.spec.whatwg.org/multipage/server-sent-events.html. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import type { PushStream } from "../../values/push/PushStream.ts"
import { toStream } from "../../values/push/toStream.ts"

export const toEvent = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`

export const doneEvent = "data: [DONE]\n\n"

/** A response with these events. A server that supports it writes them as they are pushed (`findPushedText`). */
export const eventStreamResponse = (
  events: PushStream<string>,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse => {
  const body = Stream.suspend(() =>
    Stream.mapArray(toStream(events), (texts) => [encoder.encode(texts.join(""))])
  )
  pushedTexts.set(body, events)
  return HttpServerResponse.stream(body, {
    contentType: "text/event-stream",
    headers: {
      // Compression holds events back until its block is full: middleware that heeds this leaves the stream alone
      // (https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.6, https://github.com/expressjs/compression#server-sent-events).
      "cache-control": "no-cache, no-transform",
      // Keeps proxies such as nginx from buffering the events.
      "x-accel-buffering": "no",
      ...headers
    }
  })
}

/** The texts that a streamed body is made of, each to be written at once; read either them or the body. */
export const findPushedText = (body: object): PushStream<string> | undefined =>
  pushedTexts.get(body)

const pushedTexts = new WeakMap<object, PushStream<string>>()

const encoder = new TextEncoder()
