import { makeHttpClientTransport } from "@signalbox/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { makeLazyAgent } from "../../src/lazyAgent.ts"
import { makeUndiciClient } from "../../src/undiciClient.ts"
import { makeUndiciTransport } from "../../src/undiciTransport.ts"
import { upstreamTransportContract } from "./upstreamTransportContract.ts"

upstreamTransportContract("undici's dispatch", (connections) =>
  Effect.map(
    makeLazyAgent(() => ({ connections })),
    makeUndiciTransport
  )
)

upstreamTransportContract("Effect's HttpClient", (connections) =>
  Effect.map(
    makeUndiciClient(() => ({ connections })),
    (client) => makeHttpClientTransport(client, Context.empty())
  )
)
