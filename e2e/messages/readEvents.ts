/** Reads the events of a streamed message, and checks that clients can rely on their order. */
import { checkMessagesEvents } from "@signalbox/testing"
import { expect } from "vitest"

export type EventJson = Readonly<Record<string, unknown>> & { readonly type: string }

/** Comments are left out. */
export const parseEvents = (text: string) =>
  text
    .split("\n\n")
    .map((block) => block.split("\n").filter((line) => line !== "" && !line.startsWith(":")))
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const find = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      return { event: find("event"), data: JSON.parse(find("data") ?? "null") as EventJson }
    })

export const readEvents = (text: string): ReadonlyArray<EventJson> => {
  const events = parseEvents(text)
  expect(checkMessagesEvents(events)).toEqual([])
  return events.map(({ data }) => data)
}
