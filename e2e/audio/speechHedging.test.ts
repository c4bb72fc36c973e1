/** Speech whose first byte is late is spoken by another provider, if the request asks for it; the caller hears one of them. */
import type { Strategy } from "@signalbox/core"
import { audioOf, pace, reply } from "@signalbox/testing"
import { expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { keys } from "../support/TestServer.ts"
import { startAudioServer } from "./startAudioServer.ts"

/** The first provider is tried first. A request with an `order` is never hedged. */
const strategy: Strategy = {
  name: "first",
  first: ({ contenders }) =>
    contenders.find(({ candidate }) => candidate.endpoint.provider === "first") ?? contenders[0]!
}

const start = async () => {
  const server = await startAudioServer({ hedging: {}, strategy })
  const { call, first, second, speak } = server
  const ask = (hedge: boolean) => speak({ provider: { only: ["first", "second"], hedge } })
  // A delay is derived from at least as many first bytes.
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(true)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  return {
    first,
    second,
    ask,
    getRecord: async (id: string | undefined) =>
      getProperty(
        (await call(`/signalbox/generations/${id}`, { method: "GET", key: keys.management })).body,
        "data"
      )
  }
}

test("a stalled provider loses, and both are paid for the text", async () => {
  const { ask, first, getRecord, second } = await start()
  first.always(pace.hold(first.gate()))
  second.always(reply.audio([audioOf("mp3", "by the second")]))
  const answer = await ask(true)
  expect([answer.status, answer.text.slice(-"second".length)]).toEqual([200, "second"])
  await first.waitForAborts(1)
  expect(await getRecord(answer.headers["x-generation-id"])).toMatchObject({
    provider_name: "second",
    cost: 0.000_24,
    attempts: [
      { provider_name: "first", outcome: "lost", lost: true, cost: 0.000_12 },
      { provider_name: "second", outcome: "served", hedge: true, cost: 0.000_12 }
    ]
  })
})

test("a request that does not ask for it waits", async () => {
  const { ask, first, second } = await start()
  const sent = second.requests.length
  const gate = first.gate()
  first.always(pace.hold(gate))
  const waiting = ask(false)
  await first.waitForRequests(21)
  // Another one is hedged meanwhile, so the delay has passed for both.
  expect((await ask(true)).status).toBe(200)
  gate.open()
  expect((await waiting).status).toBe(200)
  expect(second.requests).toHaveLength(sent + 1)
})
