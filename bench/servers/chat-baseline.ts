/** The yardstick of chats: a hand-written Fastify + undici pass-through that streams the same upstream answer. */
import fastify from "fastify"
import { Pool } from "undici"
import { report } from "./report.ts"

const upstream = new Pool(`http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`)
const app = fastify()

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
    .send(response.body)
})

await app.listen({ port: 0, host: "127.0.0.1" })
report(app.server.address())
