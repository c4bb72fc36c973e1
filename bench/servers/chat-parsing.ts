/** A pass-through that reads each event and writes it anew, which is the least that anybody does who counts tokens. */
import { Readable } from "node:stream"
import fastify from "fastify"
import { Pool } from "undici"
import { report } from "./report.ts"

const upstream = new Pool(`http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`)
const app = fastify()

async function* rewritten(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
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

app.post("/api/v1/chat/completions", async (request, reply) => {
  if (request.headers.authorization !== "Bearer sk-bench") {
    return reply.code(401).send({ error: { code: 401, message: "Missing Authentication header" } })
  }
  const response = await upstream.request({
    method: "POST",
    path: "/v1/chat/completions",
    headers: { "content-type": "application/json", authorization: "Bearer sk-bench-upstream" },
    body: JSON.stringify(request.body)
  })
  return reply
    .code(response.statusCode)
    .header("content-type", "text/event-stream")
    .send(Readable.from(rewritten(response.body)))
})

await app.listen({ port: 0, host: "127.0.0.1" })
report(app.server.address())
