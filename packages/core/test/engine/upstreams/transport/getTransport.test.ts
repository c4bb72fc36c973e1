import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Logger from "effect/Logger"
import * as Tracer from "effect/Tracer"
import {
  getTransport,
  setClientTransport
} from "../../../../src/engine/upstreams/transport/makeHttpClientTransport.ts"
import {
  getHeader,
  type UpstreamTransport
} from "../../../../src/engine/upstreams/transport/UpstreamTransport.ts"

const own: UpstreamTransport = { send: () => () => undefined }

const client = HttpClient.make((request) =>
  Effect.succeed(
    HttpClientResponse.fromWeb(request, new Response("from the client", { status: 418 }))
  )
)
setClientTransport(client, own)

const find = (used: HttpClient.HttpClient, tracer = Tracer.nativeTracer) =>
  getTransport(
    Context.make(HttpClient.HttpClient, used).pipe(Context.add(Logger.CurrentLoggers, new Set())),
    tracer
  )

/** The status and the text of the answer. */
const read = ({ send }: UpstreamTransport): Promise<string> => {
  const { promise, reject, resolve } = Promise.withResolvers<string>()
  let text = ""
  send(
    { method: "GET", url: "http://upstream.example", headers: {} },
    {
      onResponse: (status) => (text = `${status} `),
      onData: (bytes) => (text += new TextDecoder().decode(bytes)),
      onEnd: () => resolve(text),
      onFailure: reject
    }
  )
  return promise
}

describe("getTransport", () => {
  it("finds the transport of a client", () => {
    assert.strictEqual(find(client), own)
  })

  it("uses a transformed client itself, and one whose spans are exported", async () => {
    const transformed = find(HttpClient.mapRequest(client, (request) => request))
    assert.strictEqual(await read(transformed), "418 from the client")
    const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
    assert.strictEqual(await read(find(client, tracer)), "418 from the client")
  })
})

it("reports a defect of a client as a failure", async () => {
  for (const broken of [Effect.die(new Error("a bug")), Effect.interrupt]) {
    const reading = read(find(HttpClient.make(() => broken)))
    const failure = await reading.catch((failure: unknown) => failure)
    assert.propertyVal(failure, "kind", "defect")
  }
})

it("joins the lines of a header", () => {
  assert.strictEqual(getHeader({ via: ["a", "b"] }, "via"), "a, b")
  assert.strictEqual(getHeader({ via: "a" }, "via"), "a")
  assert.isUndefined(getHeader({}, "via"))
})
