/** A test server with a small catalog: an instance in a host, under a mount. */
import type { Options, Signalbox as Instance } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import { type Host, nodeHost, type RunningHost } from "../support/hosts.ts"
import { send } from "../support/send.ts"
import { providers, catalogFixture } from "./catalogFixture.ts"

export const catalogKeys = {
  member: "sk-proof-reader-90aa17",
  /** A key of an account that may use only one provider. */
  narrow: "sk-proof-narrow-1c40de",
  /** A key of an account with zero data retention. */
  strict: "sk-proof-strict-7b22f0"
} as const

interface CatalogTestServerOptions extends Partial<
  Pick<Options, "lastGood" | "models" | "upstreams" | "settings">
> {
  readonly host?: Host
  readonly mount?: string
}

interface CatalogRequest {
  readonly key?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

export class CatalogTestServer implements AsyncDisposable {
  readonly instance: Instance
  /** The URL of the host, including the mount. */
  readonly root: string
  readonly mount: string

  readonly #host: RunningHost

  private constructor(instance: Instance, host: RunningHost, mount: string) {
    this.instance = instance
    this.root = host.origin + mount
    this.mount = mount
    this.#host = host
  }

  static async start({
    host = nodeHost,
    mount = "/behind/ai",
    ...options
  }: CatalogTestServerOptions = {}): Promise<CatalogTestServer> {
    const instance = await Signalbox.make({
      upstreams: providers,
      models: catalogFixture,
      keys: [
        { key: catalogKeys.member, kind: "member", user: "mem-1" },
        { key: catalogKeys.narrow, kind: "member", user: "mem-2", account: "narrow" },
        { key: catalogKeys.strict, kind: "member", user: "mem-3", account: "strict" }
      ],
      accounts: [
        { id: "narrow", only: ["first"] },
        { id: "strict", zdr: true }
      ],
      ...options
    })
    return new CatalogTestServer(instance, await host.start(instance, mount), mount)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close()
    await this.instance.close()
  }

  /** Requests `path`, relative to the root of the API. */
  ask(path: string, { headers, key = catalogKeys.member, method = "GET" }: CatalogRequest = {}) {
    return send(`${this.root}/api/v1${path}`, {
      method,
      headers: { ...(key === "" ? undefined : { authorization: `Bearer ${key}` }), ...headers }
    })
  }

  /** The ids of a list, in order. */
  async listIds(path: string): Promise<unknown> {
    const { body, status, text } = await this.ask(path)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return (body as { data: Array<{ id: string }> }).data.map(({ id }) => id)
  }
}
