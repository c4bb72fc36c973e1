import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { routes } from "@signalbox/core"
import { hostContract } from "@signalbox/testing/contracts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"

hostContract(
  "Effect",
  async ({ instance, mounts }) => {
    const mount = mounts.join("")
    const own = HttpRouter.add(
      "POST",
      `${mount}/own` as "/own",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
        Effect.map(Effect.orDie(text), (body) => HttpServerResponse.text(body))
      )
    )
    const node = createServer((request, response) => {
      response.setHeader("x-host", "here")
      Object.assign(request, { user: request.headers["x-user"] })
    })
    const host = HttpRouter.serve(Layer.merge(routes({ mount }), own), {
      disableLogger: true,
      disableListenLog: true
    }).pipe(
      Layer.provideMerge(
        NodeHttpServer.layer(() => node, { port: 0, host: "127.0.0.1", gracefulShutdownTimeout: 1 })
      ),
      Layer.provide(Layer.succeedContext(instance.context))
    )
    const scope = await Effect.runPromise(Scope.make())
    const { address } = Context.get(
      await Effect.runPromise(Layer.buildWithScope(host, scope)),
      HttpServer.HttpServer
    )
    const port = "port" in address ? address.port : 0
    return {
      origin: `http://127.0.0.1:${port}`,
      close: async () => {
        node.closeAllConnections()
        await Effect.runPromise(Scope.close(scope, Exit.void))
      }
    }
  },
  { findUser: (source) => Object(source).user }
)
