import { assert, describe, expect, it } from "@effect/vitest"
import {
  OpenResponsesResult$inboundSchema,
  StreamEvents$inboundSchema
} from "@openrouter/sdk/models"
import { checkResponsesEvents } from "@signalbox/testing"
import * as fc from "fast-check"
import { ResponseStream } from "openai/lib/responses/ResponseStream"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { writeResponsesAnswer } from "../../../src/dialects/responses/writeAnswer.ts"
import { makeResponsesEventWriter } from "../../../src/dialects/responses/writeEvents.ts"
import { parseChoice } from "@signalbox/testing"
import { listDeltas } from "../readEvents.ts"
import {
  end,
  facts,
  getOutput,
  getResponse,
  type Json,
  merge,
  type Piece,
  readStream,
  reparse,
  toBody,
  toDelta,
  toDeltas,
  writeEvents
} from "./streams.ts"

const text = fc.string({ minLength: 1, maxLength: 6, unit: "grapheme" })
const split = (whole: fc.Arbitrary<string>) =>
  fc.tuple(whole, fc.array(fc.nat(8), { maxLength: 3 })).map(([said, cuts]) => {
    const pieces: Array<string> = []
    let rest = said
    for (const cut of cuts) {
      pieces.push(rest.slice(0, cut))
      rest = rest.slice(cut)
    }
    return [...pieces, rest]
  })
const sentence = split(fc.string({ minLength: 1, maxLength: 20 }))
/** Arguments that may be cut, but are neither null nor a text. */
const written = split(fc.string({ maxLength: 20 }).map((said) => `{${said}`))

const format = fc.constantFrom("openai-responses-v1", "anthropic-claude-v1", "unknown")
/** Runs of pieces; the places of details and calls are given when the runs are put together. */
const run = fc.oneof(
  sentence.map((texts) => ({ kind: "content" as const, texts })),
  sentence.map((texts) => ({ kind: "refusal" as const, texts })),
  fc.record({
    kind: fc.constant("reasoning" as const),
    texts: sentence,
    format,
    encrypted: fc.option(text, { nil: undefined })
  }),
  fc.record({
    kind: fc.constant("calls" as const),
    calls: fc.array(fc.record({ name: fc.constantFrom("a", "b"), texts: written }), {
      minLength: 1,
      maxLength: 3
    })
  })
)

/** The pieces of a streamed chat: reasoning with its details, calls by index whose arguments come in turns. */
const pieces = fc
  .tuple(fc.array(run, { maxLength: 5 }), fc.constantFrom("stop", "length", "content_filter"))
  .map(([runs, reason]): ReadonlyArray<Piece> => {
    let details = 0
    let calls = 0
    const said = runs.flatMap((each, at): ReadonlyArray<Piece> => {
      if (each.kind === "content") return each.texts.map((content) => ({ content }))
      if (each.kind === "refusal") return each.texts.map((refusal) => ({ refusal }))
      if (each.kind === "reasoning") {
        const common = { id: `rs_${at}`, format: each.format }
        const index = details++
        const texts = each.texts.map((summary) => ({
          reasoning: summary,
          reasoning_details: [{ type: "reasoning.summary", summary, ...common, index }]
        }))
        if (each.encrypted === undefined) return texts
        const data = { type: "reasoning.encrypted", data: each.encrypted, ...common }
        return [...texts, { reasoning_details: [{ ...data, index: details++ }] }]
      }
      const first = calls
      calls += each.calls.length
      const starts = each.calls.map(({ name }, place) => ({
        tool_calls: [
          {
            index: first + place,
            id: `call_${first + place}`,
            type: "function",
            function: { name, arguments: "" }
          }
        ]
      }))
      const rest = Array.from({ length: 5 }, (_, turn) =>
        each.calls.flatMap(({ texts }, place) =>
          texts[turn] === undefined
            ? []
            : [{ tool_calls: [{ index: first + place, function: { arguments: texts[turn] } }] }]
        )
      )
      return [...starts, ...rest.flat()]
    })
    return [...said, reason === "stop" && calls > 0 ? "tool_calls" : reason]
  })

const consume = async (body: string) => {
  const lines = body
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => block.slice(block.indexOf("\ndata: ") + "\ndata: ".length))
  const stream = new ReadableStream({
    start: (controller) => {
      for (const line of lines) controller.enqueue(new TextEncoder().encode(`${line}\n`))
      controller.close()
    }
  })
  return ResponseStream.fromReadableStream(stream).finalResponse()
}

describe("makeResponsesEventWriter", () => {
  it("keeps the order of events that clients rely on", () => {
    fc.assert(
      fc.property(pieces, fc.boolean(), fc.boolean(), (said, wantsEncrypted, wantsText) => {
        const request = {
          ...(wantsEncrypted ? facts.request : undefined),
          reasoning: wantsText ? { summary: "auto" } : { effort: "high" }
        }
        assert.deepStrictEqual(checkResponsesEvents(toBody(writeEvents(said, { request }))), [])
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })

  it("keeps it for an answer that fails at any place", () => {
    fc.assert(
      fc.property(pieces, fc.nat(20), (said, count) => {
        const writer = makeResponsesEventWriter(facts)
        const events = [
          ...toDeltas(said.slice(0, count)).flatMap((delta) =>
            writer.write({ type: "delta", choices: [delta] })
          ),
          ...writer.fail({ status: 502, message: "gone" })
        ]
        assert.deepStrictEqual(checkResponsesEvents(toBody(events)), [])
        assert.deepStrictEqual(
          events.slice(-2).map(({ type }) => type),
          ["error", "response.failed"]
        )
        assert.deepStrictEqual(writer.end(end), [])
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("is understood by the reader, up to the size of the pieces", () => {
    fc.assert(
      fc.property(pieces, (said) => {
        const own = said.filter((piece) => !JSON.stringify(piece).includes("-v1"))
        const { failure, items } = readStream(reparse(writeEvents(own)))
        assert.isUndefined(failure)
        const { reasoning_details: _, ...merged } = merge(listDeltas(items))
        const { reasoning_details: __, ...expected } = merge(own.map(toDelta))
        expect(withArguments(merged)).toEqual(withArguments(expected))
        const last = items.at(-1)
        assert.strictEqual(last?.type, "end")
        expect(last).toMatchObject({ usage: end.usage, id: "resp_1", model: "acme/m" })
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("keeps it for any JSON of the pieces", () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("", "a", 0, null))
    const item = fc.dictionary(
      fc.constantFrom(
        "index",
        "id",
        "type",
        "text",
        "summary",
        "data",
        "signature",
        "format",
        "function",
        "custom",
        "url_citation"
      ),
      fc.oneof(value, fc.dictionary(fc.constantFrom("name", "arguments", "input", "url"), value))
    )
    const known = fc.constantFrom(
      "content",
      "reasoning",
      "refusal",
      "reasoning_details",
      "tool_calls",
      "annotations",
      "__proto__"
    )
    const delta = fc.dictionary(known, fc.oneof(value, fc.array(item, { maxLength: 3 })))
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 6 }), (said) => {
        assert.deepStrictEqual(checkResponsesEvents(toBody(writeEvents(said))), [])
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })

  it("passes OpenAI's own reasoning through", () => {
    const format = "openai-responses-v1"
    const details = [
      { type: "reasoning.summary", summary: "so", id: "rs_9", format, index: 0 },
      { type: "reasoning.summary", summary: "thus", id: "rs_9", format, index: 1 },
      { type: "reasoning.encrypted", data: "abc", id: "rs_9", format, index: 2 }
    ]
    const events = reparse(
      writeEvents([...details.map((detail) => ({ reasoning_details: [detail] })), "stop"])
    )
    expect(getOutput(events)).toMatchObject([
      {
        type: "reasoning",
        id: "rs_9",
        summary: [{ text: "so" }, { text: "thus" }],
        encrypted_content: "abc"
      }
    ])
    expect(merge(listDeltas(readStream(events).items))["reasoning_details"]).toEqual(details)
  })

  it("says the same as a whole answer", () => {
    fc.assert(
      fc.property(pieces, (said) => {
        const { finishReason, ...message } = merge(said.map(toDelta))
        const order = [
          ...pick(message, "reasoning_details").map((detail) => ({ reasoning_details: [detail] })),
          ...["content", "refusal"].flatMap((name) =>
            typeof message[name] === "string" ? [{ [name]: message[name] }] : []
          ),
          ...pick(message, "tool_calls").map((call) => ({ tool_calls: [call] })),
          String(finishReason)
        ]
        const whole = writeResponsesAnswer(
          {
            choices: [parseChoice({ index: 0, message, finishReason: String(finishReason) })]
          },
          facts,
          end
        )
        expect(JSON.parse(JSON.stringify(whole))).toEqual(getResponse(reparse(writeEvents(order))))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("is accumulated by OpenAI's client to the same response", async () => {
    await fc.assert(
      fc.asyncProperty(pieces, async (said) => {
        const events = writeEvents(said)
        const { output_text: _, ...final } = await consume(toBody(events))
        expect(withoutParsed(final)).toEqual(getResponse(reparse(events)))
      }),
      { numRuns: scaleRuns(300) }
    )
  })

  it("satisfies the schemas of OpenRouter's client", () => {
    fc.assert(
      fc.property(pieces, (said) => {
        const request = {
          tools: [
            { type: "function", name: "a", parameters: null },
            { type: "custom", name: "c" }
          ],
          tool_choice: { type: "custom", name: "c" },
          reasoning: { effort: "low", summary: "auto" },
          text: {},
          temperature: null,
          metadata: { a: "b" }
        }
        const events = reparse(writeEvents(said, { request }))
        for (const event of events) {
          const parsed = StreamEvents$inboundSchema.safeParse(event)
          assert.isTrue(parsed.success, JSON.stringify(event))
          expect(parsed.data).not.toMatchObject({ isUnknown: true })
        }
        assert.isTrue(OpenResponsesResult$inboundSchema.safeParse(getResponse(events)).success)
      }),
      { numRuns: scaleRuns(300) }
    )
  })
})

/** Calls without arguments have an empty object of them. */
const withArguments = (message: Json): Json => ({
  ...message,
  ...(message["tool_calls"] === undefined
    ? undefined
    : {
        tool_calls: pick(message, "tool_calls").map((call) =>
          JSON.parse(JSON.stringify(call).replaceAll('"arguments":""', '"arguments":"{}"'))
        )
      })
})

const pick = (message: Json, name: string): ReadonlyArray<Json> => {
  const list = message[name]
  return Array.isArray(list) ? list : []
}

/** The client adds what it parsed of texts and arguments. */
const withoutParsed = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, field: unknown) =>
      key === "parsed" || key === "parsed_arguments" || key === "output_parsed" ? undefined : field
    )
  )
