/** What the application calls: providers, machines of interns, and a receiver of webhooks. It outlives the application. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import type * as testing from "@signalbox/testing"
import { listen } from "@signalbox/testing/contracts"
import { getProperty } from "../support/getProperty.ts"
import { parseJson } from "../support/HttpResponse.ts"

type Testing = typeof testing

interface MachineCall {
  readonly what: string
  readonly intern: string
  /** The secret that the vault released. */
  readonly secret: string | undefined
}

interface WebhookEvent {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The job it is about. */
  readonly job: string
}

/** The packed `@signalbox/testing` of the application. */
const importTesting = (application: string): Promise<Testing> =>
  import(createRequire(join(application, "application.ts")).resolve("@signalbox/testing"))

export const startOutsideWorld = async (application: string) => {
  const { pace, reply, ScriptedUpstream } = await importTesting(application)
  const east = await ScriptedUpstream.start()
  const west = await ScriptedUpstream.start()
  const studio = await ScriptedUpstream.start()
  const calls: Array<MachineCall> = []
  const machines = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const { intern, prompt, what } = JSON.parse(body)
        calls.push({ what, intern, secret: request.headers.authorization })
        return response.end(what === "chat" ? `I am ${intern}. You said: ${prompt}` : "done")
      })
    })
  )
  const events: Array<WebhookEvent> = []
  const receiver = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const job = String(getProperty(getProperty(parseJson(body), "data"), "id"))
        events.push({ headers: request.headers, body, job })
        return response.writeHead(204).end()
      })
    })
  )
  return {
    east,
    west,
    studio,
    pace,
    reply,
    /** What the machines were asked. */
    calls,
    receiverUrl: `${receiver.origin}/`,
    /** What the receiver accepted. */
    events,
    /** Completes a film that the studio accepted in an earlier life. */
    finishFilm: (id: string) => {
      const polls = studio.when(({ path }) => path.includes(id))
      polls.always(reply.json({ id, status: "completed", unsigned_urls: [`${studio.url}/${id}`] }))
      const downloads = studio.when(({ path }) => path.includes(`${id}/content`))
      const headers = { "content-type": "video/mp4" }
      downloads.always(reply.raw("a film of the first version", { headers }))
    },
    environment: {
      EAST_URL: east.url,
      WEST_URL: west.url,
      STUDIO_URL: studio.url,
      MACHINES_URL: machines.origin
    },
    close: () =>
      Promise.all([
        ...[east, west, studio].map((upstream) => upstream.close()),
        machines.close(),
        receiver.close()
      ])
  }
}

export type OutsideWorld = Awaited<ReturnType<typeof startOutsideWorld>>
