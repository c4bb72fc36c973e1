/** Makes a Signalbox instance whose functions get Express's request. */
import {
  type Options as NodeOptions,
  Signalbox as makeOnNode,
  type Signalbox as Instance
} from "@signalbox/node"
import type { Request } from "express"

/** The options of an instance; `source` of its `authenticate` is Express's request. */
export type Options = NodeOptions<Request>

/** The type of an instance that is mounted in Express. */
export type Signalbox = Instance<Request>

export const Signalbox: {
  /**
   * Makes an instance on Node, to mount in Express and to call in process. Rejects with a `RangeError` that names an invalid
   * option and suggests a correction.
   *
   * ```ts
   * const instance = await Signalbox.make({
   *   upstreams: [openai({ apiKey })],
   *   models: [{ id: "openai/gpt-5-mini", endpoints: [{ provider: "openai" }] }],
   *   authenticate: ({ source }) => (source.user === undefined ? undefined : { user: source.user.id })
   * })
   * ```
   */
  readonly make: (options: Options) => Promise<Signalbox>
} = makeOnNode
