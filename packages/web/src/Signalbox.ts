/** Makes a Signalbox instance on web standards, with `fetch` as HTTP client. */
import { make as makeOn, type Options, type Signalbox as Instance } from "@signalbox/core/adapter"
import * as Layer from "effect/Layer"
import { platform } from "./platform.ts"

/** The type of an instance; `Source` is that of the host's own request, where its `authenticate` takes one. */
export type Signalbox<Source = Request> = Instance<Source>

export type { Options }

export const Signalbox: {
  /**
   * Makes an instance on Bun, Deno and other runtimes with web standards. On Node, `make` of `@signalbox/node` is faster
   * and reaches the addresses of webhooks and broadcasts. Rejects with a `RangeError` that names an invalid option and
   * suggests a correction. The `source` of `authenticate` is the `Request`, unless it says another type.
   *
   * ```ts
   * const instance = await Signalbox.make({
   *   upstreams: [openai({ apiKey })],
   *   models: [{ id: "openai/gpt-5-mini", endpoints: [{ provider: "openai" }] }]
   * })
   * Bun.serve({ fetch: signalbox(instance) })
   * ```
   */
  readonly make: <Source = Request>(options: Options<Source>) => Promise<Instance<Source>>
} = {
  make: (options) =>
    makeOn(
      options,
      Layer.suspend(() => platform(options.settings))
    )
}
