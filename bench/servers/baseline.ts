/** The baseline: a hand-written Fastify and undici pass-through that makes the same upstream call. */
import fastify from "fastify"
import { Pool } from "undici"
import { reportToParent } from "./reportToParent.ts"

const upstream = new Pool(`http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`)
const app = fastify()

app.post("/api/alpha/decisions", async (request, reply) => {
  if (request.headers.authorization !== "Bearer sk-bench") {
    return reply.code(401).send({ error: { code: 401, message: "Missing Authentication header" } })
  }
  const response = await upstream.request({
    method: "POST",
    path: "/api/alpha/decisions",
    headers: { "content-type": "application/json", authorization: "Bearer sk-bench-upstream" },
    body: JSON.stringify(request.body)
  })
  return reply
    .code(response.statusCode)
    .header("content-type", "application/json")
    .send(await response.body.text())
})

await app.listen({ port: 0, host: "127.0.0.1" })
reportToParent(app.server.address())
