import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { type BodyLimit, jsonLimit } from "../../../src/api/body/BodyLimit.ts"
import { BufferedBodies } from "../../../src/api/body/BodyReader.ts"
import { HostBody } from "../../../src/api/body/BodyRequest.ts"
import { BodyInflater } from "../../../src/api/body/BodyInflater.ts"
import { makeReadBody, type ReadBodyOptions } from "../../../src/api/body/readBody.ts"
import { EffectRequest } from "../../../src/api/server/EffectRequest.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { maxSyncBytes } from "../../../src/values/json/JsonCost.ts"
import { EventLoop } from "../../../src/values/json/yieldToEventLoop.ts"

const encoder = new TextEncoder()
const url = "http://localhost/"

/** A request with `chunks` as its body. */
const makeRequest = (
  chunks: Iterable<Uint8Array> | Stream.Stream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {}
): HttpServerRequest.HttpServerRequest => {
  const body = Stream.isStream(chunks)
    ? Stream.toReadableStream(chunks)
    : Stream.toReadableStream(Stream.fromIterable(chunks))
  return HttpServerRequest.fromWeb(
    new Request(url, { method: "POST", headers, body, duplex: "half" })
  )
}
const makeTextRequest = (text: string, headers?: Readonly<Record<string, string>>) =>
  makeRequest([encoder.encode(text)], headers)

const limit: BodyLimit = jsonLimit(Settings.defaults)

const read = (
  request: HttpServerRequest.HttpServerRequest,
  { limit: within = limit, ...options }: ReadBodyOptions & { readonly limit?: BodyLimit } = {}
) => Effect.scoped(readBody(request, within, options))

/** In the context of a request on an Effect server. */
const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  within: BodyLimit,
  options?: ReadBodyOptions
) =>
  Effect.flatMap(makeReadBody, (read) =>
    Effect.contextWith((context: Context.Context<Scope.Scope>) =>
      read(
        new EffectRequest(Context.add(context, HttpServerRequest.HttpServerRequest, request)),
        within,
        options
      )
    )
  )

const readHostBody = (value: unknown, within = limit) =>
  Effect.provideService(read(makeTextRequest(""), { limit: within }), HostBody, { value })

/** Counts turns of the event loop. */
const countTurns = () => {
  let turns = 1
  return { now: () => turns, service: { next: Effect.sync(() => void turns++) } }
}

const countTurnsOf = (value: unknown, given: unknown) => {
  const turns = countTurns()
  const reading =
    given === undefined ? read(makeTextRequest(JSON.stringify(value))) : readHostBody(given)
  return Effect.as(Effect.provideService(reading, EventLoop, turns.service), turns)
}

const makeNestedJson = (levels: number) => "[".repeat(levels) + "]".repeat(levels)

const makeBufferUsage = (bytes: number) =>
  makeRequest(Stream.concat(Stream.succeed(encoder.encode("x".repeat(bytes))), Stream.never))

const compressText = (text: string, format: "deflate" | "gzip") =>
  Stream.fromReadableStream({
    evaluate: () =>
      new Blob([text])
        .stream()
        .pipeThrough(new CompressionStream(format)) as ReadableStream<Uint8Array>,
    onError: (cause) => cause
  }).pipe(Stream.orDie)

describe("readBody", () => {
  it.effect("reads the JSON of a body, however it is split into chunks", () =>
    Effect.gen(function* () {
      const value = { text: 'ä😀"\\', list: [1, [2, { a: null }]] }
      const bytes = encoder.encode(JSON.stringify(value))
      const each = Array.from(bytes, (byte) => Uint8Array.of(byte))
      assert.deepStrictEqual(yield* read(makeRequest(each)), { json: value, bytes: bytes.length })
      const whole = { json: value, bytes: bytes.length }
      assert.deepStrictEqual(yield* read(makeRequest([bytes])), whole)
      for (const given of [value, JSON.stringify(value), bytes, Buffer.from(bytes)]) {
        assert.deepStrictEqual(yield* readHostBody(given), whole)
      }
    })
  )

  it.effect("reads an empty body as the operation's default", () =>
    Effect.gen(function* () {
      const bodiless = HttpServerRequest.fromWeb(new Request(url, { method: "POST" }))
      assert.deepStrictEqual(yield* read(bodiless, { whenEmpty: "{}" }), { json: {}, bytes: 0 })
      const error = yield* Effect.flip(read(makeTextRequest("")))
      assert.deepInclude(error, { problem: "the body is not valid JSON" })
    })
  )

  it.effect("reads at most 64 KiB of a body per turn, for chunks of every size", () =>
    Effect.gen(function* () {
      const text = JSON.stringify("x".repeat(1_000_000))
      for (const chunk of [1_000, 65_536, 100_000, text.length]) {
        const bytes = encoder.encode(text)
        const chunks: Array<Uint8Array> = []
        for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk))
        const turns = countTurns()
        const seen = new Map<number, number>()
        // Every piece is reserved when it is read.
        let reserved = 0
        const buffered = {
          get bytes() {
            return reserved
          },
          set bytes(total) {
            const read = Math.max(0, total - reserved)
            seen.set(turns.now(), (seen.get(turns.now()) ?? 0) + read)
            reserved = total
          }
        }
        yield* readHostStream(chunks).pipe(
          Effect.provideService(EventLoop, turns.service),
          Effect.provideService(BufferedBodies, buffered)
        )
        assert.isAtMost(Math.max(...seen.values()), maxSyncBytes)
        assert.strictEqual(
          Array.from(seen.values()).reduce((sum, each) => sum + each, 0),
          bytes.length
        )
      }
    })
  )

  it.effect("gives each expensive step of a large body its own turn, and a small body none", () =>
    Effect.gen(function* () {
      const small = yield* countTurnsOf("x".repeat(60_000), undefined)
      assert.strictEqual(small.now(), 1)
      const text = "x".repeat(600_000)
      // Ten chunks, flattening, parsing, and the next step.
      const large = yield* countTurnsOf(text, undefined)
      assert.strictEqual(large.now(), 1 + 9 + 3)
      // In addition: stringifying and encoding.
      const hosts = yield* countTurnsOf(undefined, [text])
      assert.strictEqual(hosts.now(), 1 + 2 + 9 + 3)
      const flat = yield* countTurnsOf(
        undefined,
        Array.from({ length: 200_000 }, () => 1)
      )
      assert.isAtLeast(flat.now(), 1 + 200_000 / 50_000 + 2 + 400_000 / maxSyncBytes)
    })
  )

  it.effect("rejects millions of empty lists while they arrive, without parsing them", () =>
    Effect.gen(function* () {
      const one = '{"model":"a/b","state":[{"type":"image_url"},'
      let chunks = 0
      const lists = encoder.encode("[],".repeat(20_000))
      const body = Stream.concat(
        Stream.succeed(encoder.encode(one)),
        Stream.fromEffectRepeat(Effect.sync(() => (chunks++, lists)))
      )
      const error = yield* Effect.flip(read(makeRequest(body)))
      assert.deepInclude(error, {
        path: [],
        problem: "the body has more than 20000 arrays, objects and keys (maxJsonNodes)"
      })
      // The reader stopped early.
      assert.isAtMost(chunks, 4)
    })
  )

  it.effect.each([
    ["arrays", "[" + "[],".repeat(11)],
    ["objects", "[" + "{},".repeat(11)],
    ["keys", `{${'"a":1,'.repeat(11)}`]
  ] as const)("rejects too many %s before parsing", ([, text]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        read(makeTextRequest(text), { limit: { ...limit, nodes: 10 } })
      )
      assert.deepInclude(error, {
        problem: "the body has more than 10 arrays, objects and keys (maxJsonNodes)"
      })
    })
  )

  it.effect("applies the same limits to a body that the host has read", () =>
    Effect.gen(function* () {
      const within = { ...limit, nodes: 10, bytes: 100 }
      const lists = Array.from({ length: 11 }, () => [])
      for (const given of [lists, JSON.stringify(lists), encoder.encode(JSON.stringify(lists))]) {
        const error = yield* Effect.flip(readHostBody(given, within))
        assert.deepInclude(error, {
          problem: "the body has more than 10 arrays, objects and keys (maxJsonNodes)"
        })
      }
      const long = "x".repeat(99)
      for (const given of [
        long,
        [long],
        JSON.stringify(long),
        encoder.encode(JSON.stringify(long))
      ]) {
        const error = yield* Effect.flip(readHostBody(given, { ...within, bytes: 98 }))
        assert.deepInclude(error, {
          _tag: "RequestTooLarge",
          limitBytes: 98,
          setting: "maxBodyBytes"
        })
      }
    })
  )

  it.effect(
    "rejects deep nesting, invalid UTF-8, invalid JSON and numbers that are too large",
    () =>
      Effect.gen(function* () {
        const problemOf = (body: string | Uint8Array) =>
          Effect.map(
            Effect.flip(
              read(makeRequest([typeof body === "string" ? encoder.encode(body) : body]))
            ),
            (error) => "problem" in error && error.problem
          )
        const { maxJsonDepth } = Settings.defaults
        assert.strictEqual(
          (yield* read(makeTextRequest(makeNestedJson(maxJsonDepth)))).bytes,
          2 * maxJsonDepth
        )
        assert.strictEqual(
          yield* problemOf(makeNestedJson(maxJsonDepth + 1)),
          "the body nests deeper than 1000 levels"
        )
        assert.strictEqual(
          yield* problemOf(Uint8Array.of(0x22, 0xff, 0x22)),
          "the body is not valid UTF-8"
        )
        // The body ends within a character.
        assert.strictEqual(
          yield* problemOf(Uint8Array.of(0x22, 0xc3)),
          "the body is not valid UTF-8"
        )
        assert.strictEqual(yield* problemOf("[1,"), "the body is not valid JSON")
        assert.strictEqual(yield* problemOf("[1e309]"), "the body has a number that is too large")
      })
  )

  it.effect("rejects a large body without images before parsing, and names the setting", () =>
    Effect.gen(function* () {
      const within: BodyLimit = {
        ...limit,
        bytes: 2_000,
        setting: "maxImageBodyBytes",
        unlessNamed: { names: ["image_url"], bytes: 1_000, setting: "maxBodyBytes" }
      }
      const readPart = (type: string, characters: number) =>
        read(makeTextRequest(`[{"type":"${type}"},"${"x".repeat(characters)}"]`), { limit: within })
      assert.isAbove((yield* readPart("image_url", 1_500)).bytes, 1_000)
      assert.isAbove((yield* readPart("image\\u005furl", 1_500)).bytes, 1_000)
      assert.isBelow((yield* readPart("text", 500)).bytes, 1_000)
      const plain = yield* Effect.flip(readPart("text", 1_500))
      assert.deepInclude(plain, {
        _tag: "RequestTooLarge",
        limitBytes: 1_000,
        setting: "maxBodyBytes"
      })
      // Invalid JSON is rejected for its size first.
      const broken = yield* Effect.flip(read(makeTextRequest("x".repeat(1_500)), { limit: within }))
      assert.strictEqual(broken._tag, "RequestTooLarge")
      const large = yield* Effect.flip(readPart("image_url", 2_500))
      assert.deepInclude(large, { limitBytes: 2_000, setting: "maxImageBodyBytes" })
    })
  )

  it.effect("times out when no more of a body arrives", () =>
    Effect.gen(function* () {
      const arriving = yield* Queue.unbounded<Uint8Array>()
      const buffered = { bytes: 0 }
      const request = makeRequest(Stream.fromQueue(arriving))
      const reading = yield* Effect.forkChild(
        Effect.provideService(Effect.flip(read(request)), BufferedBodies, buffered)
      )
      const { requestBodyIdleTimeoutMillis } = Settings.defaults
      for (let piece = 1; piece <= 3; piece++) {
        yield* Queue.offer(arriving, encoder.encode("["))
        yield* waitUntil(() => buffered.bytes === piece)
        yield* TestClock.adjust(requestBodyIdleTimeoutMillis)
      }
      assert.isUndefined(reading.pollUnsafe())
      yield* TestClock.adjust(requestBodyIdleTimeoutMillis)
      assert.deepInclude(yield* Fiber.join(reading), {
        _tag: "BodyTimedOut",
        timeoutMillis: requestBodyIdleTimeoutMillis
      })
    })
  )

  it.effect("times out on a body that never ends, even if it arrives steadily", () =>
    Effect.gen(function* () {
      const arriving = yield* Queue.unbounded<Uint8Array>()
      const buffered = { bytes: 0 }
      const request = makeRequest(Stream.fromQueue(arriving))
      const reading = yield* Effect.forkChild(
        Effect.provideService(Effect.flip(read(request)), BufferedBodies, buffered)
      )
      const { requestBodyTimeoutMillis, requestBodyIdleTimeoutMillis } = Settings.defaults
      const pieces = requestBodyTimeoutMillis / requestBodyIdleTimeoutMillis
      for (let piece = 1; piece <= pieces; piece++) {
        yield* Queue.offer(arriving, encoder.encode("["))
        yield* waitUntil(() => buffered.bytes === piece)
        yield* TestClock.adjust(requestBodyIdleTimeoutMillis)
      }
      assert.deepInclude(yield* Fiber.join(reading), {
        _tag: "BodyTimedOut",
        timeoutMillis: requestBodyTimeoutMillis
      })
    })
  )

  describe("the buffered bytes of all bodies", () => {
    const settings = { ...Settings.defaults, maxBufferedBodyBytes: 1_000 }
    const makeSharedBuffer = () => {
      const buffered = { bytes: 0 }
      const within = Context.make(BufferedBodies, buffered).pipe(
        Context.add(Settings.Settings, settings)
      )
      return { buffered, share: Effect.provideContext(within) }
    }

    it.effect("are limited, and released when a body is abandoned, rejected or read", () =>
      Effect.gen(function* () {
        const { buffered, share } = makeSharedBuffer()
        const other = yield* Effect.forkChild(share(read(makeBufferUsage(600))))
        yield* waitUntil(() => buffered.bytes === 600)
        const text = JSON.stringify("x".repeat(500))
        const crowded = yield* Effect.flip(share(read(makeTextRequest(text))))
        assert.strictEqual(crowded._tag, "BodyBufferFull")
        assert.strictEqual(buffered.bytes, 600)
        assert.strictEqual((yield* share(read(makeTextRequest("[1]")))).bytes, 3)
        assert.strictEqual(
          (yield* Effect.flip(share(read(makeTextRequest("[1")))))._tag,
          "InvalidRequest"
        )
        assert.strictEqual(buffered.bytes, 600)
        // The caller has disconnected.
        yield* Fiber.interrupt(other)
        assert.strictEqual(buffered.bytes, 0)
        assert.strictEqual((yield* share(read(makeTextRequest(text)))).bytes, text.length)
        assert.strictEqual(buffered.bytes, 0)
      })
    )

    it.effect("are released when a body stalls, and later chunks are not buffered", () =>
      Effect.gen(function* () {
        const { buffered, share } = makeSharedBuffer()
        const arriving = yield* Queue.unbounded<Uint8Array>()
        // The response has not been sent, so the body is still read.
        yield* Effect.scoped(
          Effect.gen(function* () {
            const reading = yield* Effect.forkChild(
              Effect.flip(share(readBody(makeRequest(Stream.fromQueue(arriving)), limit)))
            )
            yield* Queue.offer(arriving, encoder.encode("["))
            yield* waitUntil(() => buffered.bytes === 1)
            yield* TestClock.adjust(2 * settings.requestBodyIdleTimeoutMillis)
            assert.strictEqual((yield* Fiber.join(reading))._tag, "BodyTimedOut")
            yield* Queue.offer(arriving, encoder.encode("["))
            yield* waitUntil(() => Queue.sizeUnsafe(arriving) === 0)
            assert.strictEqual(buffered.bytes, 0)
          })
        )
      })
    )
  })

  describe("a compressed body", () => {
    it.effect.each(["gzip", "deflate"] as const)("is decompressed: %s", (coding) =>
      Effect.gen(function* () {
        const value = { text: "ä".repeat(100_000) }
        const request = makeRequest(compressText(JSON.stringify(value), coding), {
          "content-encoding": coding
        })
        assert.deepStrictEqual((yield* read(request)).json, value)
      })
    )

    it.effect("that decompresses beyond the limit is rejected early", () =>
      Effect.gen(function* () {
        const bomb = JSON.stringify("x".repeat(50_000_000))
        const request = makeRequest(compressText(bomb, "gzip"), { "content-encoding": "gzip" })
        const buffered = { bytes: 0 }
        const error = yield* Effect.flip(
          Effect.provideService(read(request), BufferedBodies, buffered)
        )
        assert.deepInclude(error, { _tag: "RequestTooLarge", limitBytes: limit.bytes })
        assert.strictEqual(buffered.bytes, 0)
      })
    )

    it.effect.each([
      ["not gzip", encoder.encode("[1]")],
      ["truncated", Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)]
    ] as const)("that is %s is rejected", ([, body]) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(read(makeRequest([body], { "content-encoding": "gzip" })))
        assert.deepInclude(error, { _tag: "InvalidRequest", problem: "the body is not valid gzip" })
      })
    )

    it.effect("in an unsupported coding is rejected with the supported ones", () =>
      Effect.gen(function* () {
        const { codings } = yield* BodyInflater
        for (const coding of ["zstd", "gzip, br", "compress"]) {
          const error = yield* Effect.flip(
            read(makeTextRequest("[]", { "content-encoding": coding }))
          )
          assert.deepInclude(error, {
            _tag: "UnsupportedContentCoding",
            coding,
            supported: codings
          })
        }
        for (const coding of ["identity", "", "Identity"]) {
          const { json } = yield* read(makeTextRequest("[]", { "content-encoding": coding }))
          assert.deepStrictEqual(json, [])
        }
      })
    )

    it.effect("that the host has decompressed is not decompressed again", () =>
      Effect.gen(function* () {
        const request = makeTextRequest("", { "content-encoding": "gzip" })
        const reading = Effect.provideService(read(request), HostBody, { value: { a: 1 } })
        assert.deepStrictEqual((yield* reading).json, { a: 1 })
      })
    )
  })
})

const readHostStream = (chunks: ReadonlyArray<Uint8Array>) =>
  readHostBody({
    async *[Symbol.asyncIterator]() {
      yield* chunks
    }
  })

/** Web streams need several turns of the event loop. */
const waitUntil = (isThere: () => boolean) =>
  Effect.promise(async () => {
    while (!isThere()) await new Promise((resume) => setImmediate(resume))
  })
