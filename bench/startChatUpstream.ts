/** A loopback upstream that streams chats: so many events, one at a time or several together. */
import type { ServerResponse } from "node:http"
import { startListener } from "./startListener.ts"

/** About what a provider sends for a token. */
const makeEvent = (delta: object, rest: object = {}): string =>
  `data: ${JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1_795_000_000,
    model: "bench/talker",
    system_fingerprint: "fp_bench",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...rest }]
  })}\n\n`

const tokenEvent = makeEvent({ content: " lighthouse" })
const lastEvents =
  makeEvent({}, { finish_reason: "stop" }) +
  `data: ${JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1_795_000_000,
    model: "bench/talker",
    choices: [],
    usage: { prompt_tokens: 20, completion_tokens: 200, total_tokens: 220 }
  })}\n\ndata: [DONE]\n\n`

/** How long it takes after its first event where the model is said to be slow. */
const pauseMillis = 20

/** Each turn of the event loop `together` more, as far as the reader keeps up. */
const writeEvents = (
  response: ServerResponse,
  { events, isSlow, together }: { events: number; together: number; isSlow: boolean }
): void => {
  let left = events
  const go = (): void => {
    if (left <= 0) {
      response.end(lastEvents)
      return
    }
    const some = Math.min(together, left)
    left -= some
    if (response.write(tokenEvent.repeat(some))) setImmediate(go)
    else response.once("drain", go)
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.write(makeEvent({ role: "assistant", content: "" }) + tokenEvent)
  if (isSlow) setTimeout(go, pauseMillis)
  else go()
}

export const startChatUpstream = (events: number, together: number) =>
  startListener((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () =>
      writeEvents(response, { events, together, isSlow: body.includes("slow") })
    )
  })
