/** Reads encoded server-sent events back. */
import type { NamedServerSentEvent } from "@signalbox/testing"

export const readServerSentEvents = (text: string): ReadonlyArray<NamedServerSentEvent> =>
  text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => {
      const lines = event.split("\n")
      const find = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      return { event: find("event"), data: JSON.parse(find("data") ?? "null") as unknown }
    })
