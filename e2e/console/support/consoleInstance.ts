/** An instance with something to show on every page, and with markup in every text that others control. */
import type { ModelConfig, Options, Signalbox as Instance } from "@signalbox/core"
import type { ChatEvent, Upstream } from "@signalbox/core/upstream"
import { UpstreamFailure } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** If it became markup, it would change the title of the page, and ask another host. */
export const hostile = `"><img src="https://evil.invalid/x" onerror="document.title='taken'"><script>document.title='taken'</script>{{1}}`

interface ConsoleInstanceOptions extends Pick<
  Partial<Options>,
  "bundles" | "credits" | "interns" | "keys" | "sealing" | "settings" | "upstreams"
> {
  readonly models?: ReadonlyArray<ModelConfig>
}

/** The first provider is always overloaded, so every answer has two attempts. */
export const startConsoleInstance = async ({
  keys = [],
  models = [],
  upstreams = [],
  ...options
}: ConsoleInstanceOptions = {}): Promise<Instance> => {
  const instance = await Signalbox.make({
    ...options,
    accounts: [{ id: "default", ignore: ["elsewhere"] }],
    upstreams: [
      ...upstreams,
      makeUpstream("overloaded", "Overloaded", true),
      makeUpstream("steady", hostile, false)
    ],
    models: [
      ...models,
      {
        id: "demo/model",
        endpoints: ["overloaded", "steady"].map((provider) => ({
          provider,
          price: { prompt: "0.000002", completion: "0.000003" },
          contextLength: 100_000
        }))
      }
    ],
    keys: [
      ...keys,
      { key: "sk-console-member", kind: "member", user: hostile },
      { key: "sk-console-management", kind: "management" }
    ]
  })
  for (const cache of [false, true, true]) {
    await instance.chat(chatRequest, { caller: { kind: "member", user: hostile }, cache })
  }
  await sendChat(instance, "req-answered", chatRequest)
  await sendChat(instance, "req-refused", { ...chatRequest, messages: hostile })
  return instance
}

const chatRequest = {
  model: "demo/model",
  messages: [{ role: "user" as const, content: "Hello" }],
  user: hostile,
  session_id: hostile,
  provider: { order: ["overloaded", "steady"], ignore: [`another ${hostile}`] }
}

const sendChat = (instance: Instance, requestId: string, body: unknown): Promise<string> =>
  instance
    .fetch(
      new Request("http://signalbox.invalid/api/v1/chat/completions", {
        method: "POST",
        headers: {
          authorization: "Bearer sk-console-member",
          "content-type": "application/json",
          "user-agent": hostile,
          "x-request-id": requestId
        },
        body: JSON.stringify(body)
      })
    )
    .then((response) => response.text())

const makeUpstream = (slug: string, name: string, isOverloaded: boolean): Upstream => ({
  slug,
  name,
  chat: {
    complete: () =>
      isOverloaded
        ? Effect.fail(new UpstreamFailure({ kind: "overloaded", status: 503, detail: hostile }))
        : Effect.succeed({
            choices: [
              {
                index: 0,
                answer: { parts: [{ type: "text", text: "Hi." }], end: { reason: "stop" } }
              }
            ],
            usage: { inputTokens: 120, outputTokens: 30 }
          }),
    stream: () =>
      Stream.fromIterable<ChatEvent>([
        { type: "delta", choices: [{ index: 0, events: [{ type: "text", text: "Hi" }] }] },
        {
          type: "delta",
          choices: [{ index: 0, events: [{ type: "text", text: "." }], end: { reason: "stop" } }]
        },
        { type: "end", usage: { inputTokens: 120, outputTokens: 30 } }
      ]),
    estimateWorstCase: () => ({ inputTokens: 200, outputTokens: 100 })
  }
})
