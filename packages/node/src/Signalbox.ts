/** Makes a box on Node: the core with undici underneath. */
import { make as makeOn, type Options, type Signalbox as Instance } from "@signalbox/core/adapter"
import * as Layer from "effect/Layer"
import { platform } from "./platform.ts"

/** A box, as `Signalbox.make` makes it: the type of a parameter or a field that holds one. */
export type Signalbox = Instance

export type { Options }

export const Signalbox: {
  /**
   * Makes a box that can be mounted (`@signalbox/express`, `@signalbox/fastify`, `signalbox` of this
   * package) and asked in process. Rejects with a `RangeError` that names the option at fault and says what
   * to mend.
   *
   * ```ts
   * const box = await Signalbox.make({
   *   upstreams: [openai({ apiKey })],
   *   models: [{ id: "openai/gpt-5-mini", endpoints: [{ provider: "openai", price: {} }] }]
   * })
   * const { answers } = await box.decide({
   *   model: "openai/gpt-5-mini",
   *   state: "I was charged twice!",
   *   questions: { angry: { type: "noul", instructions: "Is the customer angry?" } }
   * })
   * await box.close()
   * ```
   */
  readonly make: (options: Options) => Promise<Instance>
} = {
  make: (options) =>
    makeOn(
      options,
      Layer.suspend(() => platform(options.settings))
    )
}
