/** Signalbox in an Effect application, under /ai. */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { layerDrain, routes } from "@signalbox/core"
import { layer } from "@signalbox/node"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { hostname, options, port } from "../router.ts"

const page = HttpRouter.add("GET", "/", HttpServerResponse.text("This page is the host's own."))

const server = layerDrain.pipe(
  Layer.provide(HttpRouter.serve(Layer.merge(routes({ mount: "/ai" }), page))),
  Layer.provide(layer(options)),
  Layer.provide(NodeHttpServer.layer(createServer, { port, host: hostname }))
)
NodeRuntime.runMain(Layer.launch(server))
