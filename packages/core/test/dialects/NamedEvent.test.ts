import { expect, it } from "vitest"
import { encodeNamedEvent } from "../../src/dialects/NamedEvent.ts"

it("cannot be ended by the name that a provider gives it", () => {
  const text = encodeNamedEvent({ type: "a\n\nevent: message_stop\r\ndata: {}" })
  expect(text.split(/\r\n|\n|\r/)).toHaveLength(4)
  expect(text.startsWith("event: a  event: message_stop")).toBe(true)
})
