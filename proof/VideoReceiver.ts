/** Takes the events of video jobs, at the second attempt at the earliest. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { listen } from "@signalbox/testing/contracts"
import { parsed } from "./Answer.ts"
import { property } from "./property.ts"

interface Told {
  /** Of the event, the same in every attempt. */
  readonly event: string
  readonly job: string
  readonly isTaken: boolean
}

export interface VideoReceiver {
  readonly url: string
  readonly told: ReadonlyArray<Told>
  readonly close: () => Promise<void>
}

export const videoReceiver = async (): Promise<VideoReceiver> => {
  const told: Array<Told> = []
  const { close, origin } = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const event = String(request.headers["webhook-id"])
        const isTaken = told.some((before) => before.event === event)
        told.push({ event, job: String(property(property(parsed(body), "data"), "id")), isTaken })
        return response.writeHead(isTaken ? 204 : 500).end()
      })
    })
  )
  return { url: `${origin}/`, told, close }
}
