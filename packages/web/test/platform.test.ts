import { createServer, type RequestListener } from "node:http"
import { NonPublicAddress, OutboundHttp } from "@signalbox/core/adapter"
import { listen } from "@signalbox/testing/contracts"
import { platform } from "@signalbox/web"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { expect, it, onTestFinished } from "vitest"

const serve = async (listener: RequestListener): Promise<string> => {
  const { close, origin } = await listen(createServer(listener))
  onTestFinished(close)
  return origin
}

it("follows no redirect, and asks for no compression", async () => {
  const seen: Array<unknown> = []
  const origin = await serve((request, response) => {
    seen.push([request.url, request.headers["accept-encoding"]])
    response.writeHead(307, { location: "/elsewhere" }).end()
  })
  const { status } = await Effect.runPromise(
    HttpClient.get(`${origin}/first`).pipe(Effect.provide(platform()))
  )
  expect([status, seen]).toEqual([307, [["/first", "identity"]]])
})

it("reaches addresses that callers choose only where private networks are allowed", async () => {
  const origin = await serve((_request, response) => response.end("here"))
  const reach = (allowPrivateNetworks: boolean) =>
    Effect.flatMap(OutboundHttp, (client) => client.get(origin)).pipe(
      Effect.flatMap(({ text }) => text),
      Effect.provide(platform({ allowPrivateNetworks })),
      Effect.result,
      Effect.runPromise
    )
  expect(await reach(true)).toMatchObject({ success: "here" })
  const refused = await reach(false)
  expect(refused).toMatchObject({ failure: { reason: { cause: new NonPublicAddress() } } })
})
