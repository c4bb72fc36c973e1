/** The router that the hosts mount: one model that repeats what it is told, without a key and without a network. */
import type { Options } from "@signalbox/core"
import { demoEchoModel, demoEchoUpstream } from "./servers/src/demo/demo.ts"

export const options: Options = {
  upstreams: [demoEchoUpstream],
  models: [demoEchoModel],
  keys: [{ key: "sk-demo-member", kind: "member", user: "demo-user" }]
}

/** Loopback only, because the key above is public. */
export const hostname = "127.0.0.1"

export const port = Number(process.env["PORT"] || 3000)
