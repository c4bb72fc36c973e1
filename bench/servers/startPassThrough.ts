/** A hand-written Fastify and undici pass-through of streamed chats, which sends the result of `rewritten`. */
import type { Readable } from "node:stream"
import fastify from "fastify"
import { Pool } from "undici"
import { reportToParent } from "./reportToParent.ts"

export const startPassThrough = async (rewritten: (body: Readable) => Readable): Promise<void> => {
  const upstream = new Pool(`http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`)
  const app = fastify()

  app.post("/api/v1/chat/completions", async (request, reply) => {
    if (request.headers.authorization !== "Bearer sk-bench") {
      return reply
        .code(401)
        .send({ error: { code: 401, message: "Missing Authentication header" } })
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
      .send(rewritten(response.body))
  })

  await app.listen({ port: 0, host: "127.0.0.1" })
  reportToParent(app.server.address())
}
