import { describe, expect, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { exchangeBytes } from "../support/exchangeBytes.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { keys, questions, makeDecisionRequest, TestServer } from "../support/TestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"

const hosts = pickHosts(import.meta.filename)

const MiB = 1_048_576

/** One question, so that every method sends the state once. */
const oneQuestion = { questions: { urgent: questions.urgent } }

/** Creates a request of exactly this many bytes, by filling up its state. */
const makeRequestOfBytes = (bytes: number, stateOf: (filling: string) => unknown) => {
  const bodyWith = (filling: string) =>
    JSON.stringify(makeDecisionRequest({ ...oneQuestion, state: stateOf(filling) }))
  const filling = "A".repeat(bytes - bodyWith("").length)
  return { filling, body: bodyWith(filling) }
}

const toTextState = (filling: string): string => filling
const toImageState = (filling: string): ReadonlyArray<unknown> => [
  "What is this?",
  { type: "image_url", image_url: { url: `data:image/png;base64,${filling}` } }
]

const makeNestedState = (levels: number): unknown =>
  JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`) as unknown

const sizes = [
  {
    name: "a text of 1 MiB",
    ...makeRequestOfBytes(MiB, toTextState),
    status: 200,
    limit: undefined
  },
  {
    name: "a text one byte over 1 MiB",
    ...makeRequestOfBytes(MiB + 1, toTextState),
    status: 413,
    limit: MiB
  },
  {
    name: "an image of 16 MiB",
    ...makeRequestOfBytes(16 * MiB, toImageState),
    status: 200,
    limit: undefined
  },
  {
    name: "an image one byte over 16 MiB",
    ...makeRequestOfBytes(16 * MiB + 1, toImageState),
    status: 413,
    limit: 16 * MiB
  }
]

describe.each(hosts)("$name", (host) => {
  describe.each([
    { framing: "declared", chunked: false },
    { framing: "in chunks", chunked: true }
  ])("$framing", ({ chunked }) => {
    test.each(sizes)("$name: $status", async ({ body, limit, status }) => {
      await using server = await TestServer.start({ host })
      const answer = await server.ask(body, { chunked })
      expect(answer.status).toBe(status)
      expect(getProperty(parseErrorEnvelope(answer).metadata, "limit_bytes")).toBe(limit)
      expect(server.calls.first).toBe(status === 200 ? 1 : 0)
      expect((await server.ask()).status).toBe(200)
    })
  })

  test("rejects an excessive content length without waiting for the body", async () => {
    await using server = await TestServer.start({ host })
    const answer = await exchangeBytes(
      server.root,
      [
        "POST /api/alpha/decisions HTTP/1.1",
        "Host: 127.0.0.1",
        `Authorization: Bearer ${keys.member}`,
        "Content-Type: application/json",
        `Content-Length: ${16 * MiB + 1}`,
        "",
        "{"
      ].join("\r\n"),
      { ends: false }
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect((await server.ask()).status).toBe(200)
  })
})

describe.each(decisionMethods)("with the method $name", (method) => {
  /** The text that the provider receives for `body`. */
  const sentFor = async (body: unknown): Promise<string> => {
    await using server = await TestServer.start({ method })
    expect((await server.ask(body)).status).toBe(200)
    const { requests } = server.upstreams.first
    expect(requests.length).toBe(1)
    return requests[0]!.raw
  }

  test.each(sizes.filter(({ status }) => status === 200))(
    "$name reaches the provider unchanged",
    async ({ body, filling }) => {
      const sent = await sentFor(body)
      // A matcher would print 16 MiB on failure.
      expect([sent.includes(filling), sent.includes(`${filling}A`)]).toEqual([true, false])
    }
  )

  test("a state of 999 levels reaches the provider unchanged", async () => {
    const state = makeNestedState(999)
    expect(await sentFor(makeDecisionRequest({ ...oneQuestion, state }))).toContain(
      JSON.stringify(state)
    )
  })

  test("a state of 1 MB of non-ASCII text reaches the provider unchanged", async () => {
    const state = "\u{1f600}".repeat(250_000)
    const sent = await sentFor(makeDecisionRequest({ ...oneQuestion, state }))
    expect(sent.includes(state)).toBe(true)
  })
})
