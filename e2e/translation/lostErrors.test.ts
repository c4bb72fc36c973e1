/** What servers of the chat dialect say about a refusal reaches the client of each API. */
import { sendJson } from "@signalbox/testing/recording"
import { expect, onTestFinished, test } from "vitest"
import { DialectServer } from "../dialects/DialectServer.ts"
import { callers, toBody } from "./OddServer.ts"

test.each(callers)(
  "the message of an error in a list, as Google's endpoint writes it, by the API $name (stream: $isStreamed)",
  async ({ api, isStreamed }) => {
    const message = "Function call is missing a thought_signature in functionCall parts."
    const server = await DialectServer.start({
      answer: (_, response) =>
        sendJson(response, [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }], 400)
    })
    onTestFinished(() => server[Symbol.asyncDispose]())
    const body = toBody(api, [{ role: "user", content: "Hi" }])
    const { error } = await api.ask(server, { model: "proof/chat", ...body }, isStreamed)
    expect(error?.code).toBe(400)
    expect(error?.message).toContain(message)
  }
)
