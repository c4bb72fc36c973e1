/** A test suite for transports to upstreams. */
import type { UpstreamTransport } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { assert, describe, expect, it, onTestFinished } from "vitest"
import { startRequest } from "./recordAnswer.ts"
import { startRawServer, startTestServer } from "./TestServer.ts"

/** Runs the suite against the transport that `make` builds, with at most `maxConnections` to an origin. */
export const upstreamTransportContract = (
  name: string,
  make: (maxConnections: number) => Effect.Effect<UpstreamTransport, never, Scope.Scope>
): void => {
  const start = async (maxConnections = 64) => {
    const scope = Scope.makeUnsafe()
    const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
    onTestFinished(close)
    const transport = await Effect.runPromise(Scope.provide(make(maxConnections), scope))
    return { transport, close }
  }

  const chunkedHead = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
  const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

  describe(`${name} as an upstream transport`, () => {
    it("sends method, path, query, headers and text, and reports the whole answer", async () => {
      const { transport } = await start()
      const server = await startTestServer((request, response) => {
        let text = ""
        request.setEncoding("utf8").on("data", (piece: string) => (text += piece))
        request.on("end", () => {
          response.writeHead(201, { "X-Twice": ["a", "b"], "content-type": "application/json" })
          const { headers, method, url } = request
          response.end(JSON.stringify({ headers, method, text, url }))
        })
      })
      const answer = await startRequest(transport, {
        method: "POST",
        url: `${server.url}/v1/x?y=1&z=%20#part`,
        headers: { "content-type": "application/json", "x-extra": "1" },
        body: '{"hello":"wörld"}'
      }).finished
      assert.deepStrictEqual(answer.calls, ["response", "data", "end"])
      assert.strictEqual(answer.status, 201)
      assert.strictEqual(answer.headers["content-type"], "application/json")
      assert.strictEqual(String(answer.headers["x-twice"]).replace(", ", ","), "a,b")
      const seen = JSON.parse(answer.bytes.toString())
      expect(seen).toMatchObject({
        method: "POST",
        text: '{"hello":"wörld"}',
        url: "/v1/x?y=1&z=%20",
        headers: { "content-type": "application/json", "content-length": "18", "x-extra": "1" }
      })
      for (const each of ["accept-encoding", "traceparent", "b3"]) {
        assert.notProperty(seen.headers, each)
      }
    })

    it("sends bytes, forms and nothing", async () => {
      const { transport } = await start()
      const server = await startTestServer((request, response) => {
        response.setHeader("x-type", request.headers["content-type"] ?? "none")
        request.pipe(response)
      })
      const send = (body?: Uint8Array | FormData, contentType?: string) =>
        startRequest(transport, {
          method: "POST",
          url: server.url,
          headers: contentType === undefined ? {} : { "content-type": contentType },
          ...(body === undefined ? undefined : { body })
        }).finished
      const bytes = await send(Buffer.from("--raw\0\xff--").subarray(2, -2), "audio/wav")
      assert.strictEqual(bytes.bytes.toString(), "raw\0\xff")
      assert.strictEqual(bytes.headers["x-type"], "audio/wav")
      const form = new FormData()
      form.append("__proto__", "text")
      form.append("file", new Blob(["pixels"], { type: "image/png" }), "a.png")
      const sent = await send(form)
      assert.match(String(sent.headers["x-type"]), /^multipart\/form-data; boundary=/)
      assert.include(sent.bytes.toString(), 'name="__proto__"\r\n\r\ntext\r\n')
      assert.match(
        sent.bytes.toString(),
        /filename="a.png"\r\ncontent-type: image\/png\r\n\r\npixels\r\n/i
      )
      const nothing = await send()
      assert.strictEqual(nothing.bytes.length, 0)
      assert.deepStrictEqual(nothing.calls, ["response", "end"])
    })

    it("reports the parts of a stream as they arrive", async () => {
      const { transport } = await start()
      const proceed = Promise.withResolvers<void>()
      const server = await startTestServer((_, response) => {
        response.write("first")
        void proceed.promise.then(() => response.end("second"))
      })
      const request = startRequest(transport, { url: server.url })
      await request.hasData
      assert.deepStrictEqual(request.calls, ["response", "data"])
      proceed.resolve()
      assert.strictEqual((await request.finished).bytes.toString(), "firstsecond")
    })

    it.each([
      ["HEAD", 200],
      ["GET", 204],
      ["GET", 304]
    ] as const)("reports an answer without a body: %s %i", async (method, status) => {
      const { transport } = await start()
      const server = await startTestServer((_, response) =>
        response.writeHead(status, status === 200 ? { "content-length": "7" } : {}).end()
      )
      for (let i = 0; i < 2; i++) {
        const answer = await startRequest(transport, { method, url: server.url }).finished
        assert.deepStrictEqual(answer.calls, ["response", "end"])
        assert.strictEqual(answer.status, status)
        await turn()
      }
      // Undici closes the connection of a HEAD, because some servers answer it with a body.
      assert.strictEqual(server.connections(), method === "HEAD" ? 2 : 1)
    })

    it("reuses a connection for one request after another", async () => {
      const { transport } = await start()
      const server = await startTestServer((request, response) => {
        request.resume()
        if (request.url === "/chunked") response.write("a")
        response.end("b")
      })
      for (const path of ["/", "/chunked", "/", "/chunked"]) {
        const running = startRequest(transport, {
          method: "POST",
          url: server.url + path,
          body: "x"
        })
        await running.finished
        // A connection is free one turn of the event loop after its answer.
        await turn()
        // Too late to have an effect.
        running.abort()
        running.control().resume()
      }
      assert.strictEqual(server.connections(), 1)
      assert.strictEqual(server.requests(), 4)
    })

    it("limits the connections to an origin, not to others", async () => {
      const { transport } = await start(2)
      const proceed = Promise.withResolvers<void>()
      const server = await startTestServer((_, response) => {
        void proceed.promise.then(() => response.end("ok"))
      })
      const other = await startTestServer((_, response) => response.end("ok"))
      const requests = Array.from({ length: 6 }, () => startRequest(transport, { url: server.url }))
      assert.strictEqual((await startRequest(transport, { url: other.url }).finished).status, 200)
      // One that waits for a connection is not sent when it is aborted.
      requests[5]?.abort()
      proceed.resolve()
      const answers = await Promise.all(requests.slice(0, 5).map(({ finished }) => finished))
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 200]
      )
      assert.strictEqual(server.maxConnections(), 2)
      assert.isAtMost(server.requests(), 5)
    })

    it("reports a refused connection by its code", async () => {
      const { transport } = await start()
      const { url } = await startTestServer(() => undefined)
      const free = new URL(url)
      // Port 1 is reserved, and nothing listens there.
      free.port = "1"
      const { calls, failure } = await startRequest(transport, { url: free.href }).finished
      assert.deepStrictEqual(calls, ["failure"])
      expect(failure).toMatchObject({
        kind: "unreachable",
        phase: "connect",
        detail: "ECONNREFUSED"
      })
    })

    it.each([
      ["nothing", ""],
      ["half of the headers", "HTTP/1.1 200 OK\r\ncontent-le"],
      ["something else than HTTP", "220 ready\r\n"]
    ])("fails when the connection closes after %s", async (_, text) => {
      const { transport } = await start()
      const server = await startRawServer((socket) => socket.end(text))
      const { calls, failure } = await startRequest(transport, { url: server.url }).finished
      assert.deepStrictEqual(calls, ["failure"])
      expect(failure).toMatchObject({ kind: "unreachable", phase: "headers" })
      assert.strictEqual(server.requests(), 1)
    })

    it.each([
      ["a declared length", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", false],
      ["chunks", `${chunkedHead}4\r\nhalf\r\n`, false],
      ["the middle of a chunk", `${chunkedHead}9\r\nhalf`, false],
      ["a reset", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", true]
    ])("fails when the body breaks off: %s", async (_, text, resets) => {
      const { transport } = await start()
      const server = await startRawServer((socket) => {
        if (resets) socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20))
        else socket.end(text)
      })
      const { bytes, calls, failure } = await startRequest(transport, { url: server.url }).finished
      assert.deepStrictEqual(calls, ["response", "data", "failure"])
      assert.strictEqual(bytes.toString(), "half")
      expect(failure).toMatchObject({ kind: "unreachable", phase: "body" })
      assert.strictEqual(server.requests(), 1)
    })

    it("ends with the connection when the answer has neither length nor chunks", async () => {
      const { transport } = await start()
      const server = await startRawServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nwhole"))
      const { bytes, calls } = await startRequest(transport, { url: server.url }).finished
      assert.deepStrictEqual(calls, ["response", "data", "end"])
      assert.strictEqual(bytes.toString(), "whole")
    })

    it.each(["GET", "POST"] as const)(
      "does not repeat a %s when an idle connection is reset",
      async (method) => {
        const { transport } = await start()
        const seen = new Map<unknown, number>()
        const server = await startRawServer((socket) => {
          const before = seen.get(socket) ?? 0
          seen.set(socket, before + 1)
          if (before === 0) socket.write(ok)
          else socket.resetAndDestroy()
        })
        const send = () => startRequest(transport, { method, url: server.url }).finished
        assert.strictEqual((await send()).status, 200)
        await turn()
        const second = await send()
        assert.deepStrictEqual(second.calls, ["failure"])
        expect(second.failure).toMatchObject({ kind: "unreachable", phase: "headers" })
        assert.strictEqual(server.requests(), 2)
        assert.strictEqual(server.connections(), 1)
        assert.strictEqual((await send()).status, 200)
        assert.strictEqual(server.connections(), 2)
      }
    )

    it("sends nothing when it is aborted at once, and calls no listener", async () => {
      const { transport } = await start()
      const server = await startTestServer((_, response) => response.end("ok"))
      const request = startRequest(transport, { url: server.url })
      request.abort()
      request.abort()
      await startRequest(transport, { url: server.url }).finished
      assert.strictEqual(server.requests(), 1)
      assert.deepStrictEqual(request.calls, [])
    })

    it("closes the connection when it is aborted before the headers", async () => {
      const { transport } = await start()
      const arrived = Promise.withResolvers<void>()
      const server = await startTestServer(() => arrived.resolve())
      const request = startRequest(transport, { method: "POST", url: server.url, body: "x" })
      await arrived.promise
      request.abort()
      await server.closed
      assert.deepStrictEqual(request.calls, [])
    })

    it("closes the connection when it is aborted within the body", async () => {
      const { transport } = await start()
      const server = await startTestServer((_, response) => void response.write("half"))
      const request = startRequest(transport, { url: server.url })
      await request.hasData
      request.abort()
      await server.closed
      assert.deepStrictEqual(request.calls, ["response", "data"])
    })

    it.each(["onResponse", "onData"] as const)("can be aborted inside %s", async (method) => {
      const { transport } = await start()
      const server = await startTestServer((_, response) => {
        response.write("x".repeat(1_000_000))
      })
      const request = startRequest(
        transport,
        { url: server.url },
        { [method]: () => request.abort() }
      )
      await server.closed
      const [first, second, ...others] = request.calls
      assert.strictEqual(first, "response")
      assert.strictEqual(second, method === "onData" ? "data" : undefined)
      assert.deepStrictEqual(others, [])
      if (method === "onData") assert.isBelow(request.received(), 1_000_000)
    })

    it("aborts a paused answer", async () => {
      const { transport } = await start()
      const server = await startTestServer((_, response) => void response.write("half"))
      const request = startRequest(
        transport,
        { url: server.url },
        { onResponse: (_status, _headers, control) => control.pause() }
      )
      await request.hasResponse
      request.abort()
      await server.closed
      assert.deepStrictEqual(request.calls, ["response"])
    })

    it("slows the upstream down while it is paused, and loses nothing", async () => {
      const { transport } = await start()
      const size = 32 * 1_048_576
      let written = 0
      const server = await startTestServer((_, response) => {
        const piece = Buffer.alloc(65_536, "x")
        const pour = (): void => {
          while (written < size) {
            written += piece.length
            if (!response.write(piece)) return void response.once("drain", pour)
          }
          response.end()
        }
        pour()
      })
      const request = startRequest(
        transport,
        { url: server.url },
        { onResponse: (_status, _headers, control) => control.pause() }
      )
      await request.hasResponse
      // Until the buffers of both ends are full.
      for (let before = -1; before !== written; await sleep(50)) before = written
      assert.strictEqual(request.received(), 0)
      assert.isBelow(written, size)
      request.control().resume()
      await request.hasData
      request.control().pause()
      for (let before = -1; before !== request.received(); await sleep(50))
        before = request.received()
      assert.isBelow(request.received(), size)
      assert.isBelow(written, size)
      request.control().resume()
      assert.strictEqual((await request.finished).bytes.length, size)
    })

    it("does not end while it is paused", async () => {
      const { transport } = await start()
      const server = await startTestServer((_, response) => response.end("all"))
      const request = startRequest(
        transport,
        { url: server.url },
        { onData: () => request.control().pause() }
      )
      await request.hasData
      await sleep(20)
      assert.deepStrictEqual(request.calls, ["response", "data"])
      request.control().resume()
      assert.deepStrictEqual((await request.finished).calls, ["response", "data", "end"])
      await turn()
      await startRequest(transport, { url: server.url }).finished
      assert.strictEqual(server.connections(), 1)
    })

    const information = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n"

    it("skips a few 1xx answers", async () => {
      const { transport } = await start()
      const server = await startRawServer((socket) => socket.write(information.repeat(100) + ok))
      const answer = await startRequest(transport, { url: server.url }).finished
      assert.deepStrictEqual(answer.calls, ["response", "data", "end"])
      assert.strictEqual(answer.status, 200)
    })

    it("breaks a flood of 1xx answers off", async () => {
      const { transport } = await start()
      const server = await startRawServer((socket) => socket.write(information.repeat(1_000)))
      const { calls, failure } = await startRequest(transport, { url: server.url }).finished
      assert.deepStrictEqual(calls, ["failure"])
      expect(failure).toMatchObject({ kind: "unreachable", detail: "ERR_TOO_MANY_1XX" })
      await server.closed
    })

    it.each([301, 302, 307, 308])("does not follow a %i", async (status) => {
      const { transport } = await start()
      const target = await startTestServer((_, response) => response.end())
      const server = await startTestServer((_, response) =>
        response.writeHead(status, { location: target.url }).end("moved")
      )
      const answer = await startRequest(transport, { method: "POST", url: server.url, body: "x" })
        .finished
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.headers["location"], target.url)
      assert.strictEqual(target.requests(), 0)
    })

    it("passes compressed bytes on", async () => {
      const { transport } = await start()
      const bytes = gzipSync("compressed")
      const server = await startTestServer((_, response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(bytes)
      )
      const answer = await startRequest(transport, { url: server.url }).finished
      assert.deepStrictEqual(answer.bytes, bytes)
      assert.strictEqual(answer.headers["content-encoding"], "gzip")
    })

    it("passes large bodies both ways", async () => {
      const { transport } = await start()
      const body = Buffer.alloc(8 * 1_048_576, "0123456789")
      const server = await startTestServer((request, response) => void request.pipe(response))
      for (const sent of [body, body.toString()]) {
        const answer = await startRequest(transport, {
          method: "POST",
          url: server.url,
          body: sent
        }).finished
        assert.isTrue(answer.bytes.equals(body))
      }
    })

    it.each([
      ["a line break in a value", { "x-key": "sk-secret\r\nx-injected: 1" }],
      ["a line break in a name", { "x-key: 1\r\nx-injected": "sk-secret" }],
      ["a NUL", { "x-key": "sk-secret\0" }]
    ])("sends no headers with %s", async (_, headers) => {
      const { transport } = await start()
      const server = await startTestServer((_, response) => response.end())
      const { calls, failure } = await startRequest(transport, { url: server.url, headers })
        .finished
      assert.deepStrictEqual(calls, ["failure"])
      expect(failure).toMatchObject({ kind: "unreachable", phase: "connect" })
      assert.notInclude(String(failure) + JSON.stringify(failure), "sk-secret")
      assert.strictEqual(server.requests(), 0)
    })

    it.each(["nonsense", "http://", "ftp://127.0.0.1/"])(
      "reports that nothing was sent to the invalid URL %s",
      async (url) => {
        const { transport } = await start()
        const { calls, failure } = await startRequest(transport, { url }).finished
        assert.deepStrictEqual(calls, ["failure"])
        expect(failure).toMatchObject({ kind: "unreachable", phase: "connect" })
      }
    )

    it("escapes line breaks in a URL", async () => {
      const { transport } = await start()
      const server = await startTestServer((request, response) => response.end(request.url))
      const url = `${server.url}/a b?c=\r\nx-injected: 1`
      const { bytes } = await startRequest(transport, { url }).finished
      assert.notInclude(bytes.toString(), "\n")
      assert.include(bytes.toString(), "/a%20b?c=")
    })

    it("fails running requests when its scope closes", async () => {
      const { close, transport } = await start()
      const server = await startTestServer((_, response) => void response.write("half"))
      const request = startRequest(transport, { url: server.url })
      await request.hasData
      await close()
      assert.deepStrictEqual((await request.finished).calls, ["response", "data", "failure"])
      const late = await startRequest(transport, { url: server.url }).finished
      assert.deepStrictEqual(late.calls, ["failure"])
    })
  })
}
