/** The baseline for the catalog: a Fastify route that sends a constant string of the length in its path. */
import fastify from "fastify"
import { reportToParent } from "./reportToParent.ts"

const strings = new Map<string, string>()
const app = fastify()

app.get<{ readonly Params: { readonly bytes: string } }>("/:bytes", (request, reply) => {
  if (request.headers.authorization !== "Bearer sk-bench") {
    return reply.code(401).send({ error: { code: 401, message: "Missing Authentication header" } })
  }
  const { bytes } = request.params
  let text = strings.get(bytes)
  if (text === undefined) strings.set(bytes, (text = "x".repeat(Number(bytes))))
  return reply.header("content-type", "application/json").send(text)
})

await app.listen({ port: 0, host: "127.0.0.1" })
reportToParent(app.server.address())
