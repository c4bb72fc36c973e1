/** Creates one of several instances on the same database. */
import type { Options } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { postgres } from "@signalbox/sql"
import { parseJson } from "./HttpResponse.ts"
import { keys } from "./TestServer.ts"
import { native } from "./decisionMethods.ts"

/** The database and upstream that the processes share. */
export interface SharedInstanceConfig {
  readonly database: { readonly url: string; readonly schema: string }
  readonly upstream: string
}

export interface InstanceRequest {
  readonly method: string
  readonly url: string
  readonly body?: unknown
  /** Default: the management key. */
  readonly key?: string
}

export interface InstanceResponse {
  readonly status: number
  readonly body: unknown
}

export const makeSharedInstance = async (
  { database, upstream }: SharedInstanceConfig,
  options: Partial<Options> = {}
) => {
  const instance = await Signalbox.make({
    stores: postgres(database),
    upstreams: [native.makeUpstream(upstream, { slug: "first", name: "First", apiKey: "sk-up" })],
    models: [
      {
        id: "proof/model",
        endpoints: [{ provider: "first", price: { prompt: "0", completion: "0", request: "0.01" } }]
      }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    pkce: { callbackUrls: [] },
    sealing: { current: "one", keys: { one: "a sealing key of the proof of processes" } },
    ...options
  })
  return {
    close: () => instance.close(),
    ask: async ({
      body,
      key = keys.management,
      method,
      url
    }: InstanceRequest): Promise<InstanceResponse> => {
      const response = await instance.fetch(
        new Request(`http://signalbox.invalid/api${url}`, {
          method,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(body === undefined ? undefined : { body: JSON.stringify(body) })
        })
      )
      return { status: response.status, body: parseJson(await response.text()) }
    }
  }
}
