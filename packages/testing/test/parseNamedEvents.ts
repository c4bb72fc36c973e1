/** The events of a body, which all have a name. */
import type { NamedServerSentEvent } from "../src/index.ts"

export const parseNamedEvents = (body: string): ReadonlyArray<NamedServerSentEvent> =>
  body
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => {
      const [, name, data = ""] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? []
      return { event: name, data: JSON.parse(data) }
    })
