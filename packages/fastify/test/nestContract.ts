/** The contract of hosts on a version of NestJS with Fastify. */
import type * as NestCommon from "@nestjs/common"
import type * as NestCore from "@nestjs/core"
import type * as NestFastify from "@nestjs/platform-fastify"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { NestFastifyApplication } from "@nestjs/platform-fastify"
import { signalbox } from "@signalbox/fastify"
import { hostContract } from "@signalbox/testing/contracts"

class AppModule {
  readonly name = "host"
}

/** `folder` has the packages. Their types come from the current version: the tests use only what all versions share. */
export const nestContract = (folder: string, major: number): void => {
  const require = createRequire(join(folder, "package.json"))
  const { Module } = require("@nestjs/common") as typeof NestCommon
  const { NestFactory } = require("@nestjs/core") as typeof NestCore
  const { FastifyAdapter } = require("@nestjs/platform-fastify") as typeof NestFastify
  const { version } = require("@nestjs/core/package.json")
  // A decorator, called because Node strips types only.
  Module({})(AppModule)

  hostContract(
    `NestJS ${version} on Fastify`,
    async ({ instance, mounts }) => {
      const adapter = new FastifyAdapter({ bodyLimit: 2 ** 25, forceCloseConnections: true })
      const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, {
        logger: false
      })
      const fastify = adapter.getInstance()
      fastify.addHook("onRequest", (request, reply, done) => {
        reply.header("x-host", "here")
        Object.assign(request, { user: request.headers["x-user"] })
        done()
      })
      const prefix = mounts.join("")
      await app.register(signalbox(instance), { prefix })
      fastify.post(`${prefix}/own`, ({ body }, reply) => reply.send(JSON.stringify(body)))
      await app.listen(0, "127.0.0.1")
      return { origin: await app.getUrl(), close: () => app.close() }
    },
    { installed: { version, major }, findUser: (source) => Object(source).user }
  )
}
