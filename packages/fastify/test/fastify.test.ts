import { signalbox } from "@signalbox/fastify"
import { hostContract, type ParserKind } from "@signalbox/testing/contracts"
import fastify, { type FastifyInstance } from "fastify"
import { createRequire } from "node:module"

/** Fastify parses JSON by itself. */
const addParser = (app: FastifyInstance, kind: ParserKind): void => {
  if (kind === "json") return
  app.removeAllContentTypeParsers()
  const parseAs = kind === "text" ? "string" : "buffer"
  app.addContentTypeParser("*", { parseAs }, (_request, body, done) => done(null, body))
}

hostContract(
  "Fastify 5",
  async ({ instance, mounts, parser }) => {
    const app = fastify({ bodyLimit: 2 ** 25, forceCloseConnections: true })
    app.addHook("onRequest", (_request, reply, done) => {
      reply.header("x-host", "here")
      done()
    })
    if (parser?.position === "before") addParser(app, parser.kind)
    const mountIn = async (
      parent: FastifyInstance,
      [prefix, ...rest]: typeof mounts
    ): Promise<void> => {
      if (prefix === undefined) await parent.register(signalbox(instance))
      else if (rest.length === 0) await parent.register(signalbox(instance), { prefix })
      else await parent.register((child) => mountIn(child, rest), { prefix })
    }
    await mountIn(app, mounts)
    if (parser?.position === "after") addParser(app, parser.kind)
    app.post(`${mounts.join("")}/own`, ({ body }, reply) =>
      reply.send(typeof body === "string" || body instanceof Buffer ? body : JSON.stringify(body))
    )
    return { origin: await app.listen({ port: 0, host: "127.0.0.1" }), close: () => app.close() }
  },
  {
    installed: {
      version: createRequire(import.meta.url)("fastify/package.json").version,
      major: 5
    },
    parsers: ["json", "text", "raw"]
  }
)
