import { expect, it } from "vitest"
import { makeMessagesEventReader } from "../../../src/dialects/messages/readEvents.ts"
import { makeMessageEventWriter } from "../../../src/domains/messages/makeMessageEventWriter.ts"
import { growth, linear } from "../../growth.ts"

const stream = {
  id: "gen-1",
  model: "acme/wise",
  provider: "Acme",
  toEnd: () => ({ usage: {}, marks: {} }) as never
}

/** Each says something that no other says. */
const toDeltas = (size: number) =>
  Array.from({ length: size }, (_, index) => ({
    type: "message_delta",
    [`extra_${index}`]: index,
    delta: { [`field_${index}`]: index },
    usage: { [`count_${index}`]: index, output_tokens: index }
  }))

it("takes no longer for each end that a provider repeats", () => {
  const ratio = growth(1_000, (size) => {
    const events = toDeltas(size)
    const reader = makeMessagesEventReader()
    const said = events.map((event) => reader.read(event))
    expect(said.every((event) => event === undefined)).toBe(true)
    const writer = makeMessageEventWriter(stream, { tools: [], parsed: { inputTokens: 1 } })
    expect(writer.write([{ type: "delta", choices: [], native: events }])).toHaveLength(0)
  })
  expect(ratio).toBeLessThan(linear)
})
