/** Random answers of every API, cut into random pieces, become events that clients of Anthropic's API can rely on. */
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scaleRuns } from "../../vitest.scope.ts"
import { DialectServer, memberKey } from "../dialects/DialectServer.ts"
import type { Saying, SpokenAnswer } from "../dialects/NativeAnswer.ts"
import { providerDialects } from "../dialects/ProviderDialect.ts"
import { encodeEvents, startStream } from "../dialects/sendNative.ts"
import { speak } from "../dialects/speak.ts"
import { send } from "../support/send.ts"
import { type EventJson, readEvents } from "./readEvents.ts"

const piece = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 })

const call = fc
  .tuple(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 })), fc.nat(5))
  .map(([input, cuts]): ReadonlyArray<string> => {
    const text = JSON.stringify(input)
    const size = Math.ceil(text.length / (cuts + 1))
    return Array.from({ length: cuts + 1 }, (_, at) =>
      text.slice(at * size, (at + 1) * size)
    ).filter((each) => each !== "")
  })

const saying: fc.Arbitrary<Saying> = fc.oneof(
  fc.record({ text: fc.array(piece, { minLength: 1, maxLength: 4 }) }),
  fc.record({ thought: piece, signature: fc.base64String({ minLength: 4, maxLength: 16 }) }),
  call.map((pieces) => ({ call: { id: "", name: "look_up", arguments: pieces } }))
)

const answers: fc.Arbitrary<SpokenAnswer> = fc
  .tuple(
    fc.array(saying, { minLength: 1, maxLength: 6 }),
    fc.option(fc.constantFrom("length", "content_filter"), { nil: undefined }),
    fc.boolean()
  )
  .map(([said, end, isCounted]) => ({
    said: said.map((each, at) =>
      "call" in each ? { call: { ...each.call, id: `call_${at}` } } : each
    ),
    ...(end === undefined ? undefined : { end }),
    ...(isCounted ? undefined : { usage: null })
  }))

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 })

/** The pieces are as long as `sizes` say, again and again; the rest comes at once. */
const cut = (bytes: Buffer, lengths: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const pieces: Array<Buffer> = []
  let at = 0
  for (const length of lengths) {
    if (at >= bytes.length) break
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return at < bytes.length ? [...pieces, bytes.subarray(at)] : pieces
}

/** Joins the events, whose deltas may have any size. */
const putTogether = (events: ReadonlyArray<EventJson>) => {
  const texts = { text: "", inputs: [] as Array<string> }
  for (const { content_block: block, delta, type } of events) {
    if (type === "content_block_start" && Object(block).type === "tool_use") texts.inputs.push("")
    if (type !== "content_block_delta") continue
    const { partial_json: json, text } = Object(delta)
    if (typeof text === "string") texts.text += text
    if (typeof json === "string") texts.inputs.push(`${texts.inputs.pop() ?? ""}${json}`)
  }
  return {
    text: texts.text,
    inputs: texts.inputs.map((json): unknown => JSON.parse(json === "" ? "{}" : json))
  }
}

const toExpected = ({ said }: SpokenAnswer) => ({
  text: said.flatMap((each) => ("text" in each ? each.text : [])).join(""),
  inputs: said.flatMap((each): ReadonlyArray<unknown> =>
    "call" in each ? [JSON.parse(each.call.arguments.join(""))] : []
  )
})

describe.each(providerDialects)("a stream of the API %s", (dialect) => {
  test("is written in the order of events, whole and without a character too many", async () => {
    let next: readonly [SpokenAnswer, ReadonlyArray<number>] | undefined
    await using server = await DialectServer.start({
      answer: (_, response) => {
        const [answer, lengths] = next!
        startStream(response)
        const bytes = Buffer.from(encodeEvents(speak(answer)[dialect].events ?? []))
        const pieces = cut(bytes, lengths)
        const write = (at: number): void => {
          if (at === pieces.length) response.end()
          else response.write(pieces[at]!, () => write(at + 1))
        }
        write(0)
      }
    })
    await fc.assert(
      fc.asyncProperty(answers, sizes, async (answer, lengths) => {
        next = [answer, lengths]
        const { status, text } = await send(`${server.root}/api/v1/messages`, {
          body: JSON.stringify({
            model: `proof/${dialect}`,
            max_tokens: 1_000,
            stream: true,
            messages: [{ role: "user", content: "Go on." }],
            tools: [{ name: "look_up", input_schema: { type: "object" } }]
          }),
          headers: { "content-type": "application/json", "x-api-key": memberKey }
        })
        expect(status).toBe(200)
        const events = readEvents(text)
        expect(putTogether(events)).toEqual(toExpected(answer))
        expect(events.at(-1)).toEqual({ type: "message_stop" })
      }),
      { numRuns: scaleRuns(1_250) }
    )
  })
})
