/** The reader of a provider's errors is the code of a host. It once threw where nothing caught it. */
import { Signalbox, signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { postJson, streamEvents, type Upstream } from "@signalbox/core/upstream"
import { expect, it, onTestFinished } from "vitest"
import { chatAnswer } from "../../bench/load/answers.ts"
import { answer, listen } from "../support/listen.ts"

const key = "sk-test-member"

it.each([false, true])(
  "a failure that cannot be read is a defect of the provider, and has a fallback where one is allowed; streamed: %s",
  async (stream) => {
    const request = {
      url: await listen(answer(400, `{"unexpected":1}`)),
      apiKey: undefined,
      body: {},
      toFailure: () => {
        throw new TypeError("Cannot read properties of undefined (reading 'message')")
      }
    }
    const own: Upstream = {
      slug: "own",
      name: "Own",
      chat: {
        estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 }),
        complete: () => postJson(request, () => expect.fail("it has no answer")),
        stream: () => streamEvents({ ...request, reader: () => expect.fail("it has no events") })
      }
    }
    const other = openai({
      apiKey: "sk-upstream-key",
      baseUrl: await listen(answer(200, chatAnswer))
    })
    const instance = await Signalbox.make({
      upstreams: [own, other],
      models: [
        {
          id: "a/b",
          endpoints: ["own", "openai"].map((provider) => ({ provider, price: { prompt: "0" } }))
        }
      ],
      keys: [{ key, kind: "member", user: "ada" }]
    })
    onTestFinished(() => instance.close())
    const origin = await listen(signalbox(instance))
    const response = await fetch(`${origin}/api/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "a/b",
        messages: [{ role: "user", content: "hi" }],
        provider: {
          order: ["own", "openai"],
          ...(stream ? { allow_fallbacks: false } : undefined)
        },
        stream
      })
    })
    expect(response.status).toBe(stream ? 502 : 200)
  }
)
