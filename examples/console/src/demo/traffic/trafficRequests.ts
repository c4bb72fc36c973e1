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

/** The words of a prompt make its film fail or take ten hours, so that there is one to cancel. */
const film = (prompt: string) => ({
  path: "/api/v1/videos",
  body: { model: "demo/film-1", prompt, duration: 4 }
})

/** What the jobs of the console begin with. The keys take turns: in each workspace, one succeeds and one fails. */
export const firstFilms: ReadonlyArray<Omit<TrafficRequest, "weight">> = [
  film("dusk"),
  film("fail"),
  film("dusk"),
  film("fail"),
  film("slow dawn")
]

/** Each `size` is drawn anew, 0 to 1. */
export const makeTrafficRequests = (size: number): ReadonlyArray<TrafficRequest> => {
  const words = Math.round(10 + 200 * size ** 3)
  const user = `customer ${1 + (words % 7)}`
  return [
    {
      path: "/api/v1/chat/completions",
      body: { model: "demo/atlas-mini", max_tokens: 500, messages: ask(words), user },
      weight: 25
    },
    {
      // `sort` turns to the cheapest provider even while it fails, until its breaker opens.
      path: "/api/v1/chat/completions",
      body: {
        model: "demo/atlas-mini",
        max_tokens: 200,
        messages: ask(words),
        user,
        provider: { sort: "price" }
      },
      weight: 20
    },
    {
      path: "/api/v1/chat/completions",
      body: { model: "demo/atlas-mini", max_tokens: 500, messages: ask(words), user, stream: true },
      weight: 20
    },
    {
      path: "/api/v1/chat/completions",
      body: {
        model: "demo/atlas-large",
        max_tokens: 500,
        messages: ask(words),
        user,
        // A few tickets of each customer are open at a time.
        session_id: `ticket ${1 + (words % 21)}`,
        stream: true
      },
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
    { ...film(size > 0.8 ? "fail" : "dusk"), weight: 1 },
    // A mistake that some client keeps making.
    { path: "/api/v1/chat/completions", body: { model: "demo/atlas-mini" }, weight: 1 }
  ]
}
