/** An upstream that sends 1xx responses and no final one, on a raw socket. */
import { makeChatCompletions } from "@signalbox/core/upstream"
import { once } from "node:events"
import * as net from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import * as Redacted from "effect/Redacted"
import { Signalbox } from "../src/index.ts"

const information = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n"

const answer = JSON.stringify({
  choices: [{ index: 0, message: { role: "assistant", content: "It is." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 2 }
})
const ok = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`

/** Sends chats to a server that runs `speak` for each connection. `left` resolves when the instance has disconnected. */
const sendChats = async (
  speak: (socket: net.Socket) => void,
  settings: { readonly headersTimeoutMillis?: number; readonly chatTimeoutMillis?: number } = {}
) => {
  const left = Promise.withResolvers<void>()
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined)
    socket.once("close", () => left.resolve())
    socket.once("data", () => speak(socket))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("it listens nowhere")
  const instance = await Signalbox.make({
    upstreams: [
      {
        slug: "one",
        name: "One",
        chat: makeChatCompletions({
          url: `http://127.0.0.1:${address.port}/chat/completions`,
          apiKey: Redacted.make("sk-at-the-upstream"),
          maxImageTokens: 1,
          maxOutputTokens: 1
        })
      }
    ],
    models: [{ id: "test/model", endpoints: [{ provider: "one", price: {} }] }],
    settings
  })
  onTestFinished(async () => {
    await instance.close()
    server.close()
  })
  const request = { model: "test/model", messages: [{ role: "user" as const, content: "Is it?" }] }
  return {
    left: left.promise,
    whole: () => instance.chat(request),
    streamed: async () => {
      for await (const chunk of instance.streamChat(request)) void chunk
    }
  }
}

/** Writes as fast as the instance reads. */
const flood = (socket: net.Socket): void => {
  const many = information.repeat(1_000)
  const write = (): void => {
    if (socket.destroyed) return
    if (socket.write(many)) setImmediate(write)
    else socket.once("drain", write)
  }
  write()
}

const captureError = async (requested: Promise<unknown>): Promise<string> => {
  const error = await requested.then(
    () => "nothing failed",
    (error: unknown) => error
  )
  return error instanceof Error ? error.message : String(error)
}

describe.each(["whole", "streamed"] as const)("1xx answers before one that is %s", (form) => {
  it("end at the timeout for headers", async () => {
    const settings = { headersTimeoutMillis: 200, chatTimeoutMillis: 200 }
    const asked = await sendChats((socket) => socket.write(information.repeat(100)), settings)
    expect(await captureError(asked[form]())).toContain("timeout")
    await asked.left
  })

  // The default timeouts are longer than the test.
  it("are limited in number", async () => {
    const asked = await sendChats(flood)
    expect(await captureError(asked[form]())).toContain("ERR_TOO_MANY_1XX")
    await asked.left
  })
})

it("accepts a response after a few 1xx responses", async () => {
  const asked = await sendChats((socket) => socket.write(information.repeat(100) + ok))
  expect((await asked.whole()).choices[0]?.message["content"]).toBe("It is.")
})
