/** Signalbox in a NestJS application on Express, under /ai. */
import { Controller, Get, Module } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { signalbox } from "@signalbox/express"
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
const app = await NestFactory.create(AppModule, { logger: ["error"] })
app.use("/ai", signalbox(instance)) // before Nest's body parsers, which it adds in `listen`
await app.listen(port, hostname)
process.once("SIGTERM", () => void Promise.all([app.close(), instance.close()]))
