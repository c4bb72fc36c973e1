import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { EndedRoute, RecordedRoute } from "../../../src/routing/record/RecordedRoute.ts"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { GenerationId } from "../../../src/values/ids/GenerationId.ts"
import { makeCandidate } from "../makeCandidate.ts"

const candidate = makeCandidate({ provider: "one" })
const attempt = { candidate, chargedAt: 0, startedAt: 0, latencyMillis: 5 }

const begin = () =>
  new RecordedRoute<string>(
    {
      caller: hostCaller,
      models: ["a/b"],
      operation: "chat",
      capability: () => ({}),
      preferences: {},
      requirements: { parameters: [], inputTokens: 0, outputTokens: 0 }
    },
    {
      id: GenerationId.make("gen-1"),
      startedAt: 0,
      labels: {},
      isStreamed: false,
      attempts: [],
      listener: undefined,
      toAnswerFacts: () => ({ model: undefined }),
      toContent: () => ({ bytes: 2, input: {}, output: undefined })
    },
    () => Effect.void,
    0
  )

const end = (route: RecordedRoute<string>) =>
  new EndedRoute(route, Exit.succeed({ value: "answer", candidate, attempts: [] }), 1_000, 1)
    .generation

it("adds the waits of a request up, and gives each to the attempt after it", () => {
  const route = begin()
  route.onAttempt(attempt)
  route.onQueue(200)
  route.onQueue(30)
  route.onAttempt(attempt)
  route.onQueue(400)
  const { attempts, queueMillis } = end(route)
  assert.strictEqual(queueMillis, 630)
  assert.deepStrictEqual(
    attempts.map((each) => each.queueMillis),
    [undefined, 230]
  )
})

it("says nothing of a request that did not wait", () => {
  const route = begin()
  route.onAttempt(attempt)
  assert.isFalse("queueMillis" in end(route))
})
