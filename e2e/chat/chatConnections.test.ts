import { reply } from "@signalbox/testing"
import { expect, test } from "vitest"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"

const pieces = ["All ", "is ", "well."].map((content) => ({
  data: { choices: [{ index: 0, delta: { content } }] }
}))

test.each(decisionMethods.slice(0, 2))(
  "streamed chats reuse their upstream connection: $name",
  async (method) => {
    await using server = await TestServer.start({ method })
    const { first } = server.upstreams
    // The response ends a little after its last event.
    first.always(reply.events([...pieces, { data: "[DONE]" }, 1]))
    for (let each = 0; each < 10; each++) {
      const { text } = await send(`${server.root}/api/v1/chat/completions`, {
        headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "proof/model",
          messages: [{ role: "user", content: "Is it calm at sea?" }],
          provider: { only: ["first"] },
          stream: true
        })
      })
      expect(text).toContain("well.")
      expect(text).toMatch(/data: \[DONE\]\n\n$/)
    }
    expect(first.requests).toHaveLength(10)
    // The end of a response is read in the background, so a connection may not be free yet.
    expect(first.connections).toBeLessThanOrEqual(2)
  }
)
