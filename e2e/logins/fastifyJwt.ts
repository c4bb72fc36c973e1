/** `@fastify/jwt` verifies the token of a request. */
import jwt from "@fastify/jwt"
import { signalbox, Signalbox } from "@signalbox/fastify"
import fastify from "fastify"

declare module "@fastify/jwt" {
  interface FastifyJWT {
    payload: { readonly sub: string; readonly team: string }
    user: { readonly sub: string; readonly team: string }
  }
}

const instance = await Signalbox.make({
  upstreams: [],
  models: [],
  keys: [{ key: "sk-nightly-job", kind: "organization" }],
  authenticate: async ({ source }) => {
    const user = await source.jwtVerify<typeof source.user>().catch(() => undefined)
    return user && { account: user.team, user: user.sub } // else the token may be one of `keys`
  }
})

const app = fastify({ pluginTimeout: 30_000 })
app.register(jwt, { secret: process.env["JWT_SECRET"] ?? "only for development" })
app.register(signalbox(instance), { prefix: "/ai" })
app.addHook("preClose", () => instance.close())
app.post<{ Body: { name: string; password: string } }>("/login", async ({ body }, reply) => {
  if (body.name !== "ada" || body.password !== "correct horse") return reply.code(401).send()
  return { token: app.jwt.sign({ sub: "ada", team: "acme" }, { expiresIn: "15m" }) }
})
await app.listen({ port: Number(process.env["PORT"] ?? 3000) })
