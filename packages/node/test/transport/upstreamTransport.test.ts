import { makeHttpClientTransport } from "@signalbox/core/adapter"
import { selfSignedCertificate } from "@signalbox/testing/contracts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { createSecureServer } from "node:http2"
import { assert, it, onTestFinished } from "vitest"
import { makeLazyAgent } from "../../src/lazyAgent.ts"
import { makeUndiciClient } from "../../src/undiciClient.ts"
import { makeUndiciTransport } from "../../src/undiciTransport.ts"
import { startRequest } from "./recordAnswer.ts"
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

it("speaks HTTP/1.1 to a server that also speaks HTTP/2", async () => {
  const { cert, key } = selfSignedCertificate()
  const server = createSecureServer({ allowHTTP1: true, cert, key }, (request, response) => {
    response.end(request.httpVersion)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const read = Effect.map(
    makeLazyAgent(() => ({ connect: { ca: cert } })),
    (agent) => startRequest(makeUndiciTransport(agent), { url: `https://127.0.0.1:${port}` })
  )
  const { bytes, failure } = await Effect.runPromise(
    Effect.scoped(Effect.flatMap(read, ({ finished }) => Effect.promise(() => finished)))
  )
  assert.isUndefined(failure)
  assert.strictEqual(bytes.toString(), "1.1")
})
