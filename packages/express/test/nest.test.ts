import { createRequire } from "node:module"
import type { Server } from "node:http"
import { Module } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import type { NestExpressApplication } from "@nestjs/platform-express"
import { signalbox } from "@signalbox/express"
import { hostContract, listen } from "@signalbox/testing/contracts"
import { Router } from "express"

class AppModule {
  readonly name = "host"
}
// A decorator, called because Node strips types only.
Module({})(AppModule)

hostContract(
  "NestJS 12 on Express",
  async ({ instance, mounts }) => {
    const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false })
    app.use(
      (
        _request: unknown,
        response: { setHeader: (name: string, value: string) => void },
        next: () => void
      ) => {
        response.setHeader("x-host", "here")
        next()
      }
    )
    const mount = mounts.join("")
    // Before the body parsers, which Nest adds when it starts.
    app.use(mount === "" ? "/" : mount, signalbox(instance))
    const own = Router().post(`${mount}/own`, (request, response) => {
      request.pipe(response)
    })
    app.use(own)
    await app.init()
    const server: Server = app.getHttpServer()
    const host = await listen(server)
    return {
      origin: host.origin,
      close: async () => {
        await host.close()
        await app.close()
      }
    }
  },
  {
    installed: {
      version: createRequire(import.meta.url)("@nestjs/core/package.json").version,
      major: 12
    }
  }
)
