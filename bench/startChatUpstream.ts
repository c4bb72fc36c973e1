/** An upstream that streams chats, one event in each turn of the event loop unless the reader is slower. */
import type { ServerResponse } from "node:http"
import { firstEvents, lastEvents, tokenEvent } from "./load/answers.ts"
import type { StreamedAnswer } from "./load/dialectAnswers.ts"
import { startListener } from "./startListener.ts"

const chat: StreamedAnswer = { first: firstEvents, token: tokenEvent, last: lastEvents }

const writeEvents = (
  response: ServerResponse,
  events: number,
  { first, last, token }: StreamedAnswer
): void => {
  let left = events
  const go = (): void => {
    if (left-- <= 0) response.end(last)
    else if (response.write(token)) setImmediate(go)
    else response.once("drain", go)
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.write(first)
  go()
}

export const startChatUpstream = (events: number, answer = chat) =>
  startListener((request, response) => {
    request.resume()
    request.on("end", () => writeEvents(response, events, answer))
  })
