/** The contract of hosts on a version of Express. */
import { createServer } from "node:http"
import { signalbox } from "@signalbox/express"
import { hostContract, listen } from "@signalbox/testing/contracts"
import type { Router } from "express"
import { makeCompression } from "./compression.ts"
import type { ExpressVersion } from "./expressVersions.ts"

export const expressContract = ({ express, major, version }: ExpressVersion): void => {
  hostContract(
    `Express ${version}`,
    ({ compress, instance, mounts, parser }) => {
      const parse =
        parser === undefined ? undefined : express[parser.kind]({ type: () => true, limit: "32mb" })
      const app = express()
      app.use((request, response, next) => {
        response.setHeader("x-host", "here")
        Object.assign(request, { user: request.headers["x-user"] })
        next()
      })
      if (compress === true) app.use(makeCompression())
      if (parse !== undefined && parser?.position === "before") app.use(parse)
      let router: Router = app
      for (const mount of mounts) {
        const inner = express.Router()
        router.use(mount, inner)
        router = inner
      }
      router.use(signalbox(instance))
      if (parse !== undefined && parser?.position === "after") app.use(parse)
      app.post(`${mounts.join("")}/own`, (request, response) => {
        if (parser === undefined) request.pipe(response)
        else response.end(parser.kind === "json" ? JSON.stringify(request.body) : request.body)
      })
      return listen(createServer(app))
    },
    {
      installed: { version, major },
      compression: true,
      parsers: ["json", "text", "raw"],
      findUser: (source) => Object(source).user
    }
  )
}
