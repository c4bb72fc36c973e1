/** Signalbox in a NestJS application on Fastify, under /ai. */
import { Controller, Get, Module } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify"
import { signalbox } from "@signalbox/fastify"
import { Signalbox } from "@signalbox/node"
import { hostname, options, port } from "../router.ts"

class Pages {
  show() {
    return "This page is the host's own."
  }
}
class AppModule {
  readonly name = "host"
}
// Decorators, called because Node only strips types.
Get()(Pages.prototype, "show", Object.getOwnPropertyDescriptor(Pages.prototype, "show")!)
Controller()(Pages)
Module({ controllers: [Pages] })(AppModule)

const instance = await Signalbox.make(options)
const adapter = new FastifyAdapter({ pluginTimeout: 30_000 }) // longer than the instance may take to close
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, {
  logger: ["error"]
})
await app.register(signalbox(instance), { prefix: "/ai" })
adapter.getInstance().addHook("preClose", () => instance.close())
await app.listen(port, hostname)
process.once("SIGTERM", () => void app.close())
