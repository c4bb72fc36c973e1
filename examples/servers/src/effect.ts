/** Signalbox in an Effect application, under /ai. */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { layerDrain, layer, routes } from "@signalbox/core"
import { platform } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { printUsage } from "./host/printUsage.ts"
import { explainListenError } from "./host/explainListenError.ts"
import { teardown } from "./host/teardown.ts"
import { host, options, port } from "./router.ts"

const explain = explainListenError("node examples/servers/src/effect.ts")
const page = HttpRouter.add("GET", "/", HttpServerResponse.text("This page is the host's own."))
const app = HttpRouter.serve(Layer.merge(routes({ mount: "/ai" }), page), { disableLogger: true })
const usage = HttpServer.HttpServer.useSync(({ address }) => printUsage("Effect", address, "/ai"))
const server = Layer.merge(layerDrain, Layer.effectDiscard(usage)).pipe(
  Layer.provide(app),
  Layer.provide(layer(options)),
  Layer.provide([platform(), NodeHttpServer.layer(createServer, { port, host })])
)
const main = Layer.launch(server).pipe(
  Effect.catchTag("ServeError", ({ cause }) => Effect.sync(() => explain(cause)))
)
NodeRuntime.runMain(main, { teardown })
