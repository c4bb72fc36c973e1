/** The requests of the demo traffic, one of each kind. */
import { exampleRequest } from "../../host/exampleRequest.ts"

export interface TrafficRequest {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** How often it is sent, in proportion to the others. */
  readonly weight: number
}

/** `length` words, because longer questions get longer answers. */
const ask = (length: number) => [
  { role: "user", content: "What do we know about this customer? ".repeat(Math.ceil(length / 7)) }
]

/** Each `size` is drawn anew, 0 to 1. */
export const makeTrafficRequests = (size: number): ReadonlyArray<TrafficRequest> => {
  const words = Math.round(10 + 200 * size ** 3)
  return [
    {
      path: "/api/v1/chat/completions",
      body: { model: "demo/atlas-mini", max_tokens: 500, messages: ask(words) },
      weight: 30
    },
    {
      path: "/api/v1/chat/completions",
      body: { model: "demo/atlas-mini", max_tokens: 500, messages: ask(words), stream: true },
      weight: 25
    },
    {
      path: "/api/v1/chat/completions",
      body: { model: "demo/atlas-large", max_tokens: 500, messages: ask(words), stream: true },
      weight: 15
    },
    {
      path: "/api/v1/messages",
      body: { model: "demo/atlas-large", max_tokens: 500, messages: ask(words) },
      weight: 6
    },
    {
      path: "/api/alpha/decisions",
      body: { ...exampleRequest, model: "demo/triage-1" },
      weight: 12
    },
    {
      path: "/api/v1/embeddings",
      body: {
        model: "demo/vector-1",
        input: Array.from({ length: 1 + (words % 5) }, () => "a page")
      },
      weight: 10
    },
    {
      path: "/api/v1/videos",
      // A film whose prompt says so fails.
      body: { model: "demo/film-1", prompt: size > 0.8 ? "fail" : "dusk", duration: 4 },
      weight: 1
    },
    // A mistake that some client keeps making.
    { path: "/api/v1/chat/completions", body: { model: "demo/atlas-mini" }, weight: 1 }
  ]
}
