import { createRequire } from "node:module"
import { Module } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify"
import { signalbox } from "@signalbox/fastify"
import { hostContract } from "@signalbox/testing/contracts"

class AppModule {
  readonly name = "host"
}
// A decorator, called because Node strips types only.
Module({})(AppModule)

hostContract(
  "NestJS 12 on Fastify",
  async ({ instance, mounts }) => {
    const adapter = new FastifyAdapter({ bodyLimit: 2 ** 25, forceCloseConnections: true })
    const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, {
      logger: false
    })
    const fastify = adapter.getInstance()
    fastify.addHook("onRequest", (_request, reply, done) => {
      reply.header("x-host", "here")
      done()
    })
    const prefix = mounts.join("")
    await app.register(signalbox(instance), { prefix })
    fastify.post(`${prefix}/own`, ({ body }, reply) => reply.send(JSON.stringify(body)))
    await app.listen(0, "127.0.0.1")
    return { origin: await app.getUrl(), close: () => app.close() }
  },
  {
    installed: {
      version: createRequire(import.meta.url)("@nestjs/core/package.json").version,
      major: 12
    }
  }
)
