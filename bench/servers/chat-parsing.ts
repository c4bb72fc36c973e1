/** A pass-through that parses and rewrites each event, the minimum for counting tokens. */
import { Readable } from "node:stream"
import { startPassThrough } from "./startPassThrough.ts"

async function* rewriteEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of body) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split("\n\n")
    rest = events.pop() ?? ""
    let written = ""
    for (const event of events) {
      const data = event.slice("data: ".length)
      written +=
        data === "[DONE]"
          ? "data: [DONE]\n\n"
          : `data: ${JSON.stringify({ ...JSON.parse(data), id: "gen-bench", provider: "Bench" })}\n\n`
    }
    yield written
  }
}

await startPassThrough((body) => Readable.from(rewriteEvents(body)))
