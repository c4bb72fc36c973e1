/** The contract of hosts on a version of NestJS with Express. */
import type * as NestCommon from "@nestjs/common"
import type * as NestCore from "@nestjs/core"
import type * as Express from "express"
import type { IncomingMessage, Server } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { NestExpressApplication } from "@nestjs/platform-express"
import { signalbox } from "@signalbox/express"
import { hostContract, listen } from "@signalbox/testing/contracts"
import { makeCompression } from "./compression.ts"

class AppModule {
  readonly name = "host"
}

/** `folder` has the packages. Their types come from the current version: the tests use only what all versions share. */
export const nestContract = (folder: string, major: number): void => {
  const require = createRequire(join(folder, "package.json"))
  const { Module } = require("@nestjs/common") as typeof NestCommon
  const { NestFactory } = require("@nestjs/core") as typeof NestCore
  const { Router } = require("express") as typeof Express
  const { version } = require("@nestjs/core/package.json")
  // A decorator, called because Node strips types only.
  Module({})(AppModule)

  hostContract(
    `NestJS ${version} on Express`,
    async ({ compress, instance, mounts }) => {
      const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false })
      app.use(
        (
          request: IncomingMessage,
          response: { setHeader: (name: string, value: string) => void },
          next: () => void
        ) => {
          response.setHeader("x-host", "here")
          Object.assign(request, { user: request.headers["x-user"] })
          next()
        }
      )
      if (compress === true) app.use(makeCompression())
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
      installed: { version, major },
      compression: true,
      findUser: (source) => Object(source).user
    }
  )
}
