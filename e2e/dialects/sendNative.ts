/** Sends an answer in a provider's own words. */
import type { ServerResponse } from "node:http"
import { sendJson } from "@signalbox/testing/recording"
import type { Json, NativeAnswer, NativeEvent } from "./NativeAnswer.ts"
import { asksForStream } from "./asksForStream.ts"
import type { ReceivedRequest } from "@signalbox/testing/recording"

export const encodeEvents = (events: ReadonlyArray<NativeEvent>): string =>
  events
    .map(({ data, event }) => {
      const text = typeof data === "string" ? data : JSON.stringify(data)
      return `${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`
    })
    .join("")

export const startStream = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/event-stream" })
}

/** Sends the form that the request asks for. */
export const sendNative = (
  { events, whole }: NativeAnswer,
  request: ReceivedRequest,
  response: ServerResponse
): void => {
  if (asksForStream(request)) {
    startStream(response)
    response.end(encodeEvents(events ?? []))
  } else sendJson(response, whole satisfies Json | undefined)
}
