/** Checks the calls in an answer of the chat API against what its clients require of them. */
import { expect } from "vitest"
import { getProperty, isObject } from "../support/getProperty.ts"
import { parseChatEvents } from "../support/parseChatEvents.ts"

/**
 * In a stream, indices count from 0. The first piece of each call has all of its names, and no later one repeats them,
 * because some clients join repeated names. Arguments are texts.
 */
export const checkChatCalls = (text: string, isStreamed: boolean): void => {
  const answers = isStreamed ? parseChatEvents(text).chunks : [JSON.parse(text)]
  const said = answers
    .flatMap((each) => getProperty(each, "choices") ?? [])
    .map((choice) => getProperty(choice, isStreamed ? "delta" : "message"))
  const pieces = said.flatMap((each) => getProperty(each, "tool_calls") ?? [])
  const ids = new Set<unknown>()
  for (const piece of pieces) {
    if (!isObject(piece)) throw new Error("a call is no object")
    const called = piece["function"]
    expect(typeof getProperty(called, "arguments")).toBe("string")
    const isNew = !isStreamed || piece["index"] === ids.size
    if (!isNew) {
      expect(piece["index"]).toBeLessThan(ids.size)
      expect(piece["id"] ?? undefined).toBeUndefined()
      expect(getProperty(called, "name") ?? undefined).toBeUndefined()
      continue
    }
    expect(piece["type"]).toBe("function")
    expect(piece["id"]).toEqual(expect.stringMatching(/./))
    expect(getProperty(called, "name")).toEqual(expect.stringMatching(/./))
    ids.add(piece["id"])
  }
  expect(ids.size).toBe(isStreamed ? ids.size : pieces.length)
}
