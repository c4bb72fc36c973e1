/** A chat leaves the same traces through every API: its record, its broadcast and its entry in the I/O log. */
import type { GenerationEvent, IoEntry } from "@signalbox/core"
import { describe, expect, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { DialectServer, managementKey } from "./DialectServer.ts"
import { inboundApis } from "./InboundApi.ts"
import { providerDialects } from "./ProviderDialect.ts"
import { sendNative } from "./sendNative.ts"
import { speak } from "./speak.ts"

const answers = speak({ said: [{ text: ["All is ", "calm."] }] })
const question = { role: "user", content: "Is it calm at sea?" }

const cases = inboundApis.flatMap((api) =>
  providerDialects.flatMap((dialect) =>
    [true, false].map((isStreamed) => ({
      api,
      dialect,
      isStreamed,
      name: api.name,
      form: isStreamed ? "streamed" : "whole"
    }))
  )
)

describe.each(cases)("a chat by $name over $dialect, $form", ({ api, dialect, isStreamed }) => {
  test("is recorded, broadcast and logged as a chat, with its API", async () => {
    const broadcast: Array<GenerationEvent> = []
    const entries: Array<IoEntry> = []
    const server = await DialectServer.start({
      answer: (request, response) => sendNative(answers[dialect], request, response),
      instance: {
        broadcast: [(event) => void broadcast.push(event)],
        ioLog: (entry) => void entries.push(entry)
      }
    })
    onTestFinished(() => server[Symbol.asyncDispose]())
    const headers = {
      authorization: `Bearer ${managementKey}`,
      "content-type": "application/json"
    }
    await send(`${server.root}/api/v1/workspaces/default`, {
      method: "PATCH",
      headers,
      body: JSON.stringify({ is_observability_io_logging_enabled: true })
    })

    const request = { model: `proof/${dialect}`, user: "ada", ...api.toBody([question]) }
    const { id = "" } = await api.ask(server, request, isStreamed)
    await expect.poll(() => entries).toHaveLength(1)
    await expect.poll(() => broadcast).toHaveLength(1)

    const apiName = api.name === "chat" ? undefined : api.name
    expect(broadcast[0]).toMatchObject({
      id,
      operation: "chat",
      finishReason: "stop",
      externalUser: "ada",
      attempts: [{ provider: dialect, outcome: "served" }]
    })
    expect(broadcast[0]?.api).toBe(apiName)
    expect(broadcast[0]?.streamed).toBe(isStreamed || undefined)
    expect(entries[0]?.input).toMatchObject({ messages: [{ role: "user" }] })
    expect(JSON.stringify(entries[0]?.input)).toContain("Is it calm at sea?")
    expect(entries[0]?.output).toMatchObject([
      { message: { role: "assistant", content: "All is calm." }, finish_reason: "stop" }
    ])
    const { body } = await send(`${server.root}/api/v1/generation?id=${id}`, {
      method: "GET",
      headers
    })
    expect(getProperty(body, "data")).toMatchObject({
      api: api.name,
      api_type: "completions",
      external_user: "ada",
      finish_reason: "stop",
      streamed: isStreamed
    })
  })
})
