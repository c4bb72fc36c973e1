/** An upstream that streams chats, one event in each turn of the event loop unless the reader is slower. */
import type { ServerResponse } from "node:http"
import { firstEvents, lastEvents, tokenEvent } from "./load/answers.ts"
import { startListener } from "./startListener.ts"

const writeEvents = (response: ServerResponse, events: number): void => {
  let left = events
  const go = (): void => {
    if (left-- <= 0) response.end(lastEvents)
    else if (response.write(tokenEvent)) setImmediate(go)
    else response.once("drain", go)
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.write(firstEvents)
  go()
}

export const startChatUpstream = (events: number) =>
  startListener((request, response) => {
    request.resume()
    request.on("end", () => writeEvents(response, events))
  })
