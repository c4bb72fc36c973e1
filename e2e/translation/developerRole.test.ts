/** Models of other companies at Bedrock and Vertex do not know the role `developer`, which OpenAI's do. */
import { bedrock } from "@signalbox/bedrock"
import { vertex } from "@signalbox/google"
import { describe, expect, test } from "vitest"
import type { Json } from "../dialects/NativeAnswer.ts"
import { isObject } from "../support/getProperty.ts"
import { asks } from "./inbound.ts"
import { type StrictProvider, StrictServer } from "./StrictServer.ts"

const providers: ReadonlyArray<readonly [name: string, provider: StrictProvider]> = [
  [
    "Bedrock",
    {
      makeUpstream: (url) => bedrock({ region: "us-east-1", apiKey: "sk-host", baseUrl: url }),
      model: "qwen.qwen3-32b"
    }
  ],
  [
    "Vertex",
    {
      makeUpstream: (url) =>
        vertex({ project: "acme", location: "global", token: async () => "token", baseUrl: url }),
      model: "qwen/qwen3-next"
    }
  ]
]

/** https://github.com/earendil-works/pi/issues/1048 */
const refuse = ({ messages }: Json): string | undefined =>
  Array.isArray(messages) && messages.some((each) => isObject(each) && each["role"] === "developer")
    ? "unknown variant `developer`"
    : undefined

const bodies: Readonly<Record<string, Json>> = {
  chat: {
    messages: [
      { role: "developer", content: "Be brief." },
      { role: "user", content: "Calm?" }
    ]
  },
  responses: {
    input: [
      { role: "developer", content: "Be brief." },
      { role: "user", content: "Calm?" }
    ]
  }
}

describe.each(providers)("at %s", (_, provider) => {
  test.each(asks.filter(({ name }) => name !== "messages"))(
    "by the API $name, $form",
    async ({ isStreamed, name, path }) => {
      await using server = await StrictServer.start({ providers: [provider], refuse })
      const { status } = await server.ask(path, bodies[name]!, isStreamed)
      expect(status).toBe(200)
      expect(server.sent["messages"]).toMatchObject([{ role: "system" }, { role: "user" }])
    }
  )
})
