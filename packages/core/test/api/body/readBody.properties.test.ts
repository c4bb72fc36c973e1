/** A body is read alike in every form: at once, in any pieces, from a stream, or from the host. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { BodyRequest } from "../../../src/api/body/BodyRequest.ts"
import { type BodySink, type BodySource, IterableSource } from "../../../src/api/body/BodySource.ts"
import { type BodyLimit, decisionLimit } from "../../../src/api/body/BodyLimit.ts"
import { makeReadBody } from "../../../src/api/body/readBody.ts"
import * as Settings from "../../../src/instance/Settings.ts"

const limit: BodyLimit = {
  ...decisionLimit(Settings.defaults),
  bytes: 150_000,
  depth: 6,
  nodes: 60,
  unlessNamed: { names: ["image_url"], bytes: 100, setting: "maxBodyBytes" }
}

/** Pushes a piece at each turn, like a socket, and only while it is not paused. */
class PushedSource implements BodySource {
  readonly #pieces: Array<Uint8Array>
  #sink: BodySink | undefined
  #isPaused = false

  constructor(pieces: ReadonlyArray<Uint8Array>) {
    this.#pieces = [...pieces]
  }

  start(sink: BodySink): void {
    this.#sink = sink
    setImmediate(() => this.#pushNext())
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    setImmediate(() => this.#pushNext())
  }

  stop(): void {
    this.#sink = undefined
  }

  #pushNext(): void {
    if (this.#isPaused || this.#sink === undefined) return
    const piece = this.#pieces.shift()
    if (piece === undefined) return this.#sink.end()
    this.#sink.push(piece)
    setImmediate(() => this.#pushNext())
  }
}

const readAs = (request: Partial<BodyRequest>) =>
  Effect.runPromise(
    Effect.scopedWith((scope: Scope.Scope) =>
      Effect.flatMap(makeReadBody, (readBody) =>
        Effect.result(
          readBody(
            {
              source: {},
              headers: {},
              hostBody: undefined,
              openBody: () => undefined,
              iterateBody: () => {
                throw new Error("not compressed")
              },
              ...request,
              scope
            },
            limit,
            { whenEmpty: "{}" }
          )
        )
      )
    )
  ).then((result) =>
    Result.isSuccess(result)
      ? result.success
      : { tag: result.failure._tag, ...JSON.parse(JSON.stringify(result.failure)) }
  )

const toPieces = (bytes: Uint8Array, cuts: ReadonlyArray<number>): Array<Uint8Array> => {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted(
    (self, that) => self - that
  )
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

async function* iterate(pieces: ReadonlyArray<Uint8Array>) {
  yield* pieces
}

const encoder = new TextEncoder()

/** Valid JSON, images, numbers that overflow, broken text and broken UTF-8, small and above 64 KiB. */
const bodies = fc.oneof(
  fc.json({ maxDepth: 8 }).map((text) => encoder.encode(text)),
  fc
    .array(fc.constantFrom("image_url", "image\u005furl", "x", 'é😀"\\'))
    .map((texts) => encoder.encode(JSON.stringify(texts))),
  fc
    .record({ filler: fc.integer({ min: 0, max: 200_000 }), isImage: fc.boolean() })
    .map(({ filler, isImage }) =>
      encoder.encode(JSON.stringify([isImage ? "image_url" : "text", "ü".repeat(filler / 2)]))
    ),
  fc
    .constantFrom("1e999", "[", '{"a":', "", " ", "\ufeff[]", "[1e309,2]")
    .map((text) => encoder.encode(text)),
  fc.uint8Array({ maxLength: 40 })
)

it("reads a body alike however it arrives", async () => {
  await fc.assert(
    fc.asyncProperty(bodies, fc.array(fc.nat(300_000), { maxLength: 6 }), async (bytes, cuts) => {
      const pieces = toPieces(bytes, cuts)
      const declared = { "content-length": String(bytes.length) }
      const whole = await readAs({ headers: declared, openBody: () => new PushedSource([bytes]) })
      const others = [
        await readAs({ openBody: () => new PushedSource([bytes]) }),
        await readAs({ headers: declared, openBody: () => new PushedSource(pieces) }),
        await readAs({ openBody: () => new PushedSource(pieces) }),
        await readAs({ openBody: () => new IterableSource(iterate(pieces), Scope.makeUnsafe()) }),
        await readAs({ hostBody: { value: bytes } }),
        await readAs({ hostBody: { value: iterate(pieces) } })
      ]
      for (const other of others) expect(other).toEqual(whole)
    }),
    { numRuns: 150 }
  )
}, 60_000)
