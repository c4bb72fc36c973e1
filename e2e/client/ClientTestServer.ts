/** An instance with stores in memory in a `node:http` host, two scripted providers, and clients with its keys. */
import { type Client, createClient } from "@signalbox/client"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { ScriptedUpstream } from "@signalbox/testing"
import { nodeHost } from "../support/hosts.ts"

export const keys = {
  member: "sk-client-member-51",
  management: "sk-client-management-9c"
} as const

const toUpstream = (slug: string, { url }: ScriptedUpstream) =>
  openai({ slug, baseUrl: `${url}/v1`, apiKey: `sk-at-${slug}` })

export class ClientTestServer implements AsyncDisposable {
  readonly root: string
  readonly upstreams: readonly [ScriptedUpstream, ScriptedUpstream]
  readonly #close: () => Promise<unknown>

  private constructor(
    root: string,
    upstreams: ClientTestServer["upstreams"],
    close: () => Promise<unknown>
  ) {
    this.root = root
    this.upstreams = upstreams
    this.#close = close
  }

  static async start(): Promise<ClientTestServer> {
    const first = await ScriptedUpstream.start()
    const second = await ScriptedUpstream.start()
    const price = { prompt: "0.000001", completion: "0.000002" }
    const instance = await Signalbox.make({
      upstreams: [toUpstream("first", first), toUpstream("second", second)],
      models: [
        {
          id: "acme/small",
          endpoints: [
            { provider: "first", price },
            { provider: "second", price }
          ]
        }
      ],
      keys: [
        { key: keys.member, kind: "member", user: "ada" },
        { key: keys.management, kind: "management" }
      ]
    })
    const running = await nodeHost.start(instance, "/ai")
    return new ClientTestServer(`${running.origin}/ai`, [first, second], async () => {
      await running.close()
      await Promise.all([instance.close(), first.close(), second.close()])
    })
  }

  /** Repeats nothing, so that a test sees each answer. */
  connect(kind: keyof typeof keys = "member"): Client {
    return createClient({ baseUrl: this.root, apiKey: keys[kind], retries: 0 })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }
}
