/** No provider gets what it is known to refuse, from the callers of any API, whole and streamed. */
import {
  type CallerApi,
  quirks,
  reply,
  type RefusesQuirk,
  type SendsQuirk
} from "@signalbox/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { quirkCallers } from "./QuirkCaller.ts"
import { QuirkServer, toQuirkModel } from "./QuirkServer.ts"

let server: QuirkServer
beforeAll(async () => {
  server = await QuirkServer.start()
})
afterAll(() => server[Symbol.asyncDispose]())

const listApis = ({ asked }: RefusesQuirk): ReadonlyArray<CallerApi> =>
  asked.apis ??
  (asked.body === undefined
    ? ["chat", "messages", "responses"]
    : (Object.keys(asked.body) as ReadonlyArray<CallerApi>))

const rows = quirks
  .filter((quirk): quirk is RefusesQuirk => quirk.kind === "refuses")
  .flatMap((quirk) =>
    quirk.providers.flatMap((provider) =>
      listApis(quirk).flatMap((api) =>
        [false, true].map(
          (stream) =>
            [
              `${quirk.id}, at ${provider}, by ${api}, ${stream ? "streamed" : "whole"}`,
              { quirk, provider, api, stream }
            ] as const
        )
      )
    )
  )

test.each(rows)("%s", async (_, { api, provider, quirk, stream }) => {
  const caller = quirkCallers[api]
  const { id, upstream } = server.find(toQuirkModel(quirk, provider))
  upstream.always(reply.chat("Yes."))
  let body = caller.toBody(
    quirk.asked.after === undefined ? quirk.asked : { tools: { look: {} }, ...quirk.asked }
  )
  if (quirk.asked.after !== undefined) body = await askBefore(api, body, quirk.asked.after)
  const [refused, received] = [upstream.refusals.length, upstream.requests.length]
  const { status, text } = await server.post(caller.path, { ...body, model: id, stream })
  const refusals = upstream.refusals.slice(refused).map((refusal) => refusal.quirk.id)
  const outcome = { refusals, requests: upstream.requests.length - received, status }
  expect({ ...outcome, isAnswered: text.includes("Yes.") }).toEqual(
    outcomes[quirk.outcome ?? "served"](quirk.id)
  )
})

const outcomes = {
  served: () => ({ refusals: [], requests: 1, status: 200, isAnswered: true }),
  refused: () => ({ refusals: [], requests: 0, status: 400, isAnswered: false }),
  passedOn: (id: string) => ({ refusals: [id], requests: 1, status: 400, isAnswered: false })
}

/** The body of the turn after the one that this row answers. */
const askBefore = async (api: CallerApi, body: object, row: string) => {
  const caller = quirkCallers[api]
  const before = quirks.find(
    (quirk): quirk is SendsQuirk => quirk.kind === "sends" && quirk.id === row
  )
  if (before === undefined) throw new Error(`there is no row ${row}`)
  const { id, upstream } = server.find(toQuirkModel(before))
  const sent = before.whole === undefined ? undefined : reply.json(before.whole)
  if (sent === undefined) throw new Error(`${row} has no whole answer`)
  upstream.always(sent)
  const { status, text } = await server.post(caller.path, { ...body, model: id })
  expect([status, text]).toEqual([200, expect.anything()])
  upstream.always(reply.chat("Yes."))
  return caller.goOn({ ...body }, JSON.parse(text))
}
