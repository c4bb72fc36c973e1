/** Forms with files are read alike in any pieces, within limits, and never in part. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { BodyRequest } from "../../../src/api/body/BodyRequest.ts"
import { BufferedBodies, type BufferUsage } from "../../../src/api/body/BodyReader.ts"
import type { FormLimit } from "../../../src/api/body/FormReader.ts"
import { IterableSource } from "../../../src/api/body/BodySource.ts"
import { makeReadForm } from "../../../src/api/body/readForm.ts"
import * as Settings from "../../../src/instance/Settings.ts"

const limit: FormLimit = {
  bytes: 100_000,
  setting: "maxAudioBytes",
  fieldBytes: 200,
  fileBytes: 5_000,
  parts: 8
}

const encoder = new TextEncoder()

interface Part {
  readonly name: string
  readonly value: string | Uint8Array
  readonly filename?: string
}

/** As browsers write it: https://html.spec.whatwg.org/#multipart-form-data */
const encodeForm = async (parts: ReadonlyArray<Part>) => {
  const form = new FormData()
  for (const { filename = "blob", name, value } of parts) {
    if (typeof value === "string") form.append(name, value)
    else form.append(name, new Blob([value.slice()], { type: "audio/wav" }), filename)
  }
  const request = new Request("http://localhost", { method: "POST", body: form })
  return {
    type: request.headers.get("content-type")!,
    body: new Uint8Array(await request.arrayBuffer())
  }
}

const split = (body: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const at = [0, ...cuts.map((cut) => cut % (body.length + 1)), body.length].toSorted(
    (one, other) => one - other
  )
  return at.slice(1).map((end, index) => body.slice(at[index], end))
}

async function* iterate(pieces: Iterable<Uint8Array>) {
  yield* pieces
}

const readForm = (
  type: string,
  pieces: Iterable<Uint8Array>,
  within: FormLimit = limit,
  {
    buffered = { bytes: 0 },
    request = {}
  }: { readonly buffered?: BufferUsage; readonly request?: Partial<BodyRequest> } = {}
) =>
  Effect.runPromise(
    Effect.scopedWith((scope: Scope.Scope) => {
      const read = Effect.flatMap(makeReadForm, (read) =>
        read(
          {
            source: {},
            headers: { "content-type": type },
            hostBody: undefined,
            openBody: () => new IterableSource(iterate(pieces), scope),
            iterateBody: () => iterate(pieces),
            scope,
            ...request
          },
          within
        )
      )
      return Effect.result(Effect.provideService(read, BufferedBodies, buffered))
    })
  )

const text = (value: string) => encoder.encode(value)

const partArbitrary: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    name: fc.constantFrom("model", "__proto__", "timestamp_granularities[]", "größe"),
    value: fc.string({ unit: "binary", maxLength: 40 }).map((value) =>
      // Browsers write every line break as CRLF.
      value.replaceAll(/\r\n|\r|\n/g, "\r\n")
    )
  }),
  fc.record({
    name: fc.constantFrom("file", "image[]", "constructor"),
    filename: fc.constantFrom("audio.wav", "naïve.mp3", "音声.wav"),
    value: fc.oneof(
      fc.uint8Array({ maxLength: 600 }),
      fc.constantFrom(text("\r\n--"), text("--x\r\n\r\n--"), text("\r\n-\r\n--\r\r\n"))
    )
  })
)

it("is read alike in any pieces", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(partArbitrary, { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      fc.constantFrom("", "\r\n", "\r\nan epilogue: of\r\nother text"),
      async (parts, cuts, epilogue) => {
        const { body, type } = await encodeForm(parts)
        const whole = new Uint8Array([...body, ...text(epilogue)])
        const form = Result.getOrThrow(await readForm(type, split(whole, cuts)))
        expect(form.fields).toEqual(
          parts
            .filter(({ value }) => typeof value === "string")
            .map(({ name, value }) => ({ name, value: (value as string).toWellFormed() }))
        )
        expect(form.files).toEqual(
          parts
            .filter(({ value }) => typeof value !== "string")
            .map(({ filename, name, value }) => ({
              name,
              filename,
              contentType: "audio/wav",
              bytes: value
            }))
        )
      }
    )
  )
})

it("is read a byte at a time, and never in part when it is cut short", async () => {
  const { body, type } = await encodeForm([
    { name: "model", value: "a/b" },
    { name: "file", value: text("some audio\r\n--of"), filename: "a.wav" }
  ])
  const whole = await readForm(type, split(body, [...body.keys()]))
  expect(Result.getOrThrow(whole).files[0]?.bytes).toEqual(text("some audio\r\n--of"))
  // The last line break may be missing.
  for (let end = 0; end < body.length - 3; end++) {
    const cut = await readForm(type, [body.slice(0, end)])
    expect(cut, `cut at ${end}`).toMatchObject({ failure: { _tag: "InvalidRequest" } })
  }
})

it.each([
  ["more parts", Array.from({ length: 9 }, () => ({ name: "a", value: "b" })), "InvalidRequest"],
  ["a larger text", [{ name: "a", value: "b".repeat(201) }], "RequestTooLarge"],
  ["a larger file", [{ name: "file", value: new Uint8Array(5_001) }], "RequestTooLarge"],
  [
    "a larger body",
    Array.from({ length: 8 }, () => ({ name: "file", value: new Uint8Array(4_900) })),
    "RequestTooLarge"
  ]
])("with %s than allowed is refused", async (_, parts, _tag) => {
  const { body, type } = await encodeForm(parts)
  const within = { ...limit, bytes: 30_000 }
  for (const cuts of [[], [100, 200, 5_000, 20_000]]) {
    expect(await readForm(type, split(body, cuts), within)).toMatchObject({ failure: { _tag } })
  }
})

it.each([
  ["no boundary", "multipart/form-data", "--x--", /no boundary/],
  [
    "a part without a name",
    undefined,
    "--x\r\ncontent-disposition: form-data\r\n\r\na\r\n--x--",
    /no name/
  ],
  ["a part without headers", undefined, "--x\r\n\r\na\r\n--x--", /headers|name/],
  ["invalid headers", undefined, "--x\r\na b: c\r\n\r\na\r\n--x--", /invalid headers/],
  [
    "large headers",
    undefined,
    `--x\r\ncontent-disposition: form-data; name="${"a".repeat(17_000)}"\r\n\r\na\r\n--x--`,
    /HeaderTooLarge/
  ],
  ["no text", undefined, "", /incomplete/],
  ["another boundary", undefined, "--y\r\n\r\n--y--", /incomplete/]
])(
  "with %s gets an error that says so",
  async (_, type = "multipart/form-data; boundary=x", body, problem) => {
    const read = await readForm(type, [text(body)])
    expect(read).toMatchObject({
      failure: { _tag: "InvalidRequest", problem: expect.stringMatching(problem) }
    })
  }
)

it("takes a recording for a file that its client gives no name", async () => {
  for (const contentType of ["audio/wav", "image/png", "video/mp4"]) {
    const body = [
      text(
        `--x\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: ${contentType}\r\n\r\n`
      ),
      new Uint8Array([0xff, 0xc3]),
      text("\r\n--x--")
    ]
    const form = Result.getOrThrow(await readForm("multipart/form-data; boundary=x", body))
    expect(form).toMatchObject({
      fields: [],
      files: [{ name: "file", filename: "", contentType, bytes: new Uint8Array([0xff, 0xc3]) }]
    })
  }
})

it("takes a file that nobody chose in a browser for none", async () => {
  const { body, type } = await encodeForm([
    { name: "mask", value: text(""), filename: "" },
    { name: "file", value: text(""), filename: "empty.wav" }
  ])
  expect(Result.getOrThrow(await readForm(type, [body])).files).toMatchObject([
    { name: "file", filename: "empty.wav" }
  ])
})

it("with a text that is not UTF-8 gets an error that names the field", async () => {
  const body = [
    text('--x\r\ncontent-disposition: form-data; name="model"\r\n\r\n'),
    new Uint8Array([0xc3]),
    text("\r\n--x--")
  ]
  expect(await readForm("multipart/form-data; boundary=x", body)).toMatchObject({
    failure: { problem: expect.stringMatching(/model.*filename/) }
  })
})

it("that the host's parser took apart gets an error that says what to do", async () => {
  for (const value of [{ model: "a/b" }, "--x--"]) {
    const read = await readForm("multipart/form-data; boundary=x", [], limit, {
      request: { hostBody: { value } }
    })
    expect(read).toMatchObject({ failure: { problem: expect.stringContaining("multer") } })
  }
  const source = { readableDidRead: true }
  const headers = { "content-type": "multipart/form-data; boundary=x", "content-length": "9" }
  expect(
    await readForm("multipart/form-data; boundary=x", [], limit, { request: { source, headers } })
  ).toMatchObject({ failure: { problem: expect.stringContaining("express.raw") } })
})

it("is read from the bytes that the host's parser kept", async () => {
  const { body, type } = await encodeForm([{ name: "model", value: "a/b" }])
  const read = await readForm(type, [], limit, { request: { hostBody: { value: body } } })
  expect(Result.getOrThrow(read).fields).toEqual([{ name: "model", value: "a/b" }])
})

it("of 25 MB takes at most three times its size while it arrives, and is counted until the response", async () => {
  const size = 25_000_000
  const buffered = { bytes: 0 }
  const head = text('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
  let most = 0
  const start = process.memoryUsage().arrayBuffers
  const pieces = function* () {
    yield head
    // Small pieces, which would be far larger than their bytes in a list.
    for (let at = 0; at < size; at += 1_000) {
      yield new Uint8Array(1_000).fill(1)
      if (at % 1_000_000 === 0) {
        globalThis.gc?.()
        most = Math.max(most, process.memoryUsage().arrayBuffers - start)
      }
    }
    expect(buffered.bytes).toBe(size + head.length)
    yield text("\r\n--x--")
  }
  const read = await readForm(
    "multipart/form-data; boundary=x",
    pieces(),
    { ...limit, bytes: size + 1_000, fileBytes: size },
    { buffered }
  )
  expect(Result.getOrThrow(read).files[0]?.bytes.length).toBe(size)
  expect(buffered.bytes).toBe(0)
  // The pieces of a megabyte are garbage of the test, which may not have been collected yet.
  expect(most).toBeLessThan(3 * size + 2_000_000)
})

it("is refused when the bodies of all requests take too much memory", async () => {
  const { body, type } = await encodeForm([{ name: "file", value: new Uint8Array(4_000) }])
  const buffered = { bytes: Settings.defaults.maxBufferedBodyBytes - 100 }
  expect(await readForm(type, [body], limit, { buffered })).toMatchObject({
    failure: { _tag: "BodyBufferFull" }
  })
})
