/** The contract of hosts on a version of Fastify. */
import type * as Fastify from "fastify"
import { createRequire } from "node:module"
import { join } from "node:path"
import { signalbox } from "@signalbox/fastify"
import { hostContract, type ParserKind } from "@signalbox/testing/contracts"
import type { FastifyInstance } from "fastify"

/** Fastify parses JSON by itself. */
const addParser = (app: FastifyInstance, kind: ParserKind): void => {
  if (kind === "json") return
  app.removeAllContentTypeParsers()
  const parseAs = kind === "text" ? "string" : "buffer"
  app.addContentTypeParser("*", { parseAs }, (_request, body, done) => done(null, body))
}

/** `folder` has the package. The types come from the current version: the tests use only what all versions share. */
export const fastifyContract = (folder: string, major: number): void => {
  const require = createRequire(join(folder, "package.json"))
  const { fastify } = require("fastify") as typeof Fastify
  const { version } = require("fastify/package.json")
  hostContract(
    `Fastify ${version}`,
    async ({ instance, mounts, parser }) => {
      const app = fastify({ bodyLimit: 2 ** 25, forceCloseConnections: true })
      app.addHook("onRequest", (request, reply, done) => {
        reply.header("x-host", "here")
        Object.assign(request, { user: request.headers["x-user"] })
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
      installed: { version, major },
      parsers: ["json", "text", "raw"],
      findUser: (source) => Object(source).user
    }
  )
}
