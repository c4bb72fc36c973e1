/** The pass-through on Fastify 5. */
import fastify from "fastify"
import { makeForward } from "../passThrough/makeForward.ts"
import { reportToParent } from "./reportToParent.ts"

const forward = makeForward(`http://127.0.0.1:${process.env["UPSTREAM_PORT"]}`)
const app = fastify()
for (const path of ["/api/alpha/decisions", "/api/v1/chat/completions"]) {
  app.post(path, async (request, reply) => {
    const { body, status, type } = await forward(path, request.headers.authorization, request.body)
    return reply.code(status).header("content-type", type).send(body)
  })
}
await app.listen({ port: 0, host: "127.0.0.1" })
reportToParent(app.server.address())
