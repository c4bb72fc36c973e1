import { expectTypeOf, it } from "vitest"
import {
  type ChatChunk,
  type ClientError,
  type createClient,
  type ErrorStatus,
  isClientError,
  isResponseError,
  type Key,
  type MessageEvent,
  type ResponsesEvent
} from "../src/index.ts"

type Client = ReturnType<typeof createClient>

const decide = (client: Client) =>
  client.decide({
    model: "m",
    state: { any: ["thing"] },
    questions: {
      urgent: { type: "noul", instructions: "?" },
      topic: {
        type: "choice",
        instructions: "?",
        criteria: { billing: null, shipping: "parcels" }
      },
      anger: { type: "score", instructions: "?", criteria: ["calm", "angry"] }
    }
  })

const read = (error: unknown) => {
  if (isResponseError(error, 404, 410)) return error.status
  if (!isClientError(error)) return undefined
  return error.kind === "timeout" ? error.timeoutMillis : undefined
}

it("types answers by their questions", () => {
  type Answers = Awaited<ReturnType<typeof decide>>["answers"]
  expectTypeOf<keyof Answers>().toEqualTypeOf<"urgent" | "topic" | "anger">()
  expectTypeOf<Answers["urgent"]["noul"]>().toEqualTypeOf<number>()
  expectTypeOf<Answers["topic"]["choice"]>().toEqualTypeOf<"billing" | "shipping">()
  expectTypeOf<Answers["topic"]["probabilities"]>().toEqualTypeOf<{
    readonly billing: number
    readonly shipping: number
  }>()
  expectTypeOf<Answers["anger"]["score"]>().toEqualTypeOf<number>()
  expectTypeOf<Answers["anger"]>().not.toHaveProperty("choice")
})

it("refuses questions and parameters that do not exist", () => {
  const unknown = { a: { type: "maybe", instructions: "" } } as const
  const incomplete = { a: { type: "choice", instructions: "" } } as const
  const refuse = (client: Client) => [
    // @ts-expect-error a question has a known type
    client.decide({ model: "m", state: "", questions: unknown }),
    // @ts-expect-error a choice has criteria
    client.decide({ model: "m", state: "", questions: incomplete }),
    // @ts-expect-error it is called temperature
    client.chat.complete({ messages: [], temprature: 0 }),
    // @ts-expect-error the method decides whether an answer is streamed
    client.chat.complete({ messages: [], stream: true }),
    // @ts-expect-error the hash is required
    client.keys.get({})
  ]
  expectTypeOf(refuse).toBeFunction()
})

it("types streams, pages and errors", () => {
  type Chunk<T> = T extends AsyncIterable<infer A> ? A : never
  expectTypeOf<Chunk<ReturnType<Client["chat"]["stream"]>>>().toExtend<ChatChunk>()
  expectTypeOf<Chunk<ReturnType<Client["messages"]["stream"]>>>().toEqualTypeOf<MessageEvent>()
  expectTypeOf<Chunk<ReturnType<Client["responses"]["stream"]>>>().toEqualTypeOf<ResponsesEvent>()
  expectTypeOf<Chunk<ReturnType<Client["keys"]["list"]>>>().toEqualTypeOf<Key>()
  expectTypeOf<Awaited<ReturnType<Client["keys"]["list"]>>["total_count"]>().toEqualTypeOf<number>()
  expectTypeOf<ErrorStatus>().toExtend<number>()
  expectTypeOf(read).returns.toExtend<number | undefined>()
  expectTypeOf<ClientError["kind"]>().toEqualTypeOf<
    "connection" | "invalid" | "response" | "stream" | "timeout" | "truncated"
  >()
})
