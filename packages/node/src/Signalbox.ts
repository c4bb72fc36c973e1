/** Makes a Signalbox instance on Node, with undici as HTTP client. */
import { make as makeOn, type Options, type Signalbox as Instance } from "@signalbox/core/adapter"
import * as Layer from "effect/Layer"
import { platform } from "./platform.ts"

/** The type of an instance; `Source` is that of the host's own request, where its `authenticate` takes one. */
export type Signalbox<Source = unknown> = Instance<Source>

export type { Options }

export const Signalbox: {
  /**
   * Makes an instance, to mount (`@signalbox/express`, `@signalbox/fastify`, `signalbox` of this package) and to call in
   * process. Rejects with a `RangeError` that names an invalid option and suggests a correction. Its `source` has the type
   * that `authenticate` gives it; `make` of an adapter knows the request of its host.
   *
   * ```ts
   * const signalbox = await Signalbox.make({
   *   upstreams: [openai({ apiKey })],
   *   models: [{ id: "openai/gpt-5-mini", endpoints: [{ provider: "openai" }] }]
   * })
   * const { answers } = await signalbox.decide({
   *   model: "openai/gpt-5-mini",
   *   state: "I was charged twice!",
   *   questions: { angry: { type: "noul", instructions: "Is the customer angry?" } }
   * })
   * await signalbox.close()
   * ```
   */
  readonly make: <Source = unknown>(options: Options<Source>) => Promise<Instance<Source>>
} = {
  make: (options) =>
    makeOn(
      options,
      Layer.suspend(() => platform(options.settings))
    )
}
