/** The router that the hosts mount: demo models of Decisions and chats, without a provider's key and without a network. */
import type { Options } from "@signalbox/core"
import {
  demoEchoModel,
  demoEchoUpstream,
  demoModels,
  demoUpstreams
} from "./console/src/demo/demo.ts"

export const options: Options = {
  upstreams: [...demoUpstreams, demoEchoUpstream],
  models: [...demoModels, demoEchoModel],
  keys: [{ key: "sk-demo-member", kind: "member", user: "demo-user" }]
}

/** Loopback only, because the key above is public. */
export const hostname = "127.0.0.1"

export const port = Number(process.env["PORT"] || 3000)
