/** A loopback upstream that streams chats, with one or several events in a write. */
import type { ServerResponse } from "node:http"
import { startListener } from "./startListener.ts"

/** About the size of a provider's event for one token. */
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

/** The delay after the first event of a slow model. */
const pauseMillis = 20

/** Writes `together` events in each turn of the event loop, unless the reader is slower. */
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
