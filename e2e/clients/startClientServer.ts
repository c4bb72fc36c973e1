/** An instance for tests of clients: its first provider is tried first, and the second has another dialect. */
import { parameterLists } from "@signalbox/anthropic"
import { onTestFinished } from "vitest"
import { makeDialectUpstream } from "../dialects/makeDialectUpstream.ts"
import type { ProviderDialect } from "../dialects/ProviderDialect.ts"
import { decisionMethods } from "../support/decisionMethods.ts"
import type { Host } from "../support/hosts.ts"
import { keys, TestServer } from "../support/TestServer.ts"
import type { Asking } from "./ChatClient.ts"

/** The dialects of the providers behind the clients. */
export const clientDialects = [
  "chat",
  "messages",
  "responses"
] as const satisfies ReadonlyArray<ProviderDialect>
export type ClientDialect = (typeof clientDialects)[number]

/** What each provider reports, and what that costs in nano-USD. */
export const usage = { inputTokens: 10, outputTokens: 3 }
export const cost = { first: 16_000n, second: 32_000n }

const prices = {
  first: { prompt: "0.000001", completion: "0.000002", web_search: "0.01" },
  second: { prompt: "0.000002", completion: "0.000004", web_search: "0.01" }
}

export const startClientServer = async (host: Host, dialect: ClientDialect) => {
  const next = clientDialects[(clientDialects.indexOf(dialect) + 1) % clientDialects.length]!
  const server = await TestServer.start({
    host,
    mount: "/ai",
    prices,
    credits: { default: "1000" },
    // The agent may search, and what it then reads is bounded by the context.
    contextLength: 100_000,
    // Every wait of a test is long enough for what keeps a silent stream alive.
    settings: { keepaliveMillis: 10 },
    method: {
      ...decisionMethods[1]!,
      supportedParameters: parameterLists.claudeBefore47,
      makeUpstream: (root, options) =>
        makeDialectUpstream(options.slug === "first" ? dialect : next, root, options)
    }
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const asking: Asking = {
    root: server.root,
    instance: server.instance,
    apiKey: keys.member,
    // This variant tries the cheaper of two endpoints first.
    model: "proof/model:floor",
    prompt: "Is it calm at sea?"
  }
  return { asking, dialect, server, ...server.upstreams }
}
