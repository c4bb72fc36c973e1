/** Receives the events of video jobs and rejects the first attempt of each. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { listen } from "@signalbox/testing/contracts"
import { parseJson } from "../support/HttpResponse.ts"
import { getProperty } from "../support/getProperty.ts"

interface ReceivedEvent {
  /** The id of the event, the same in every attempt. */
  readonly event: string
  readonly job: string
  readonly isAccepted: boolean
}

export interface WebhookReceiver {
  readonly url: string
  readonly events: ReadonlyArray<ReceivedEvent>
  readonly close: () => Promise<void>
}

export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: Array<ReceivedEvent> = []
  const { close, origin } = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const event = String(request.headers["webhook-id"])
        const isAccepted = received.some((before) => before.event === event)
        received.push({
          event,
          job: String(getProperty(getProperty(parseJson(body), "data"), "id")),
          isAccepted
        })
        return response.writeHead(isAccepted ? 204 : 500).end()
      })
    })
  )
  return { url: `${origin}/`, events: received, close }
}
