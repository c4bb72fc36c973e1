/** The upstreams of this process, by slug. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Upstream } from "./Upstream.ts"

export class Upstreams extends Context.Service<
  Upstreams,
  { readonly find: (slug: string) => Upstream | undefined }
>()("@signalbox/core/upstreams/Upstreams") {
  /** Throws a `RangeError` when two upstreams share a slug. */
  static readonly layer = (upstreams: ReadonlyArray<Upstream>): Layer.Layer<Upstreams> =>
    Layer.sync(Upstreams, () => {
      const bySlug = new Map<string, Upstream>()
      for (const upstream of upstreams) {
        if (bySlug.has(upstream.slug)) {
          throw new RangeError(
            `two upstreams are called "${upstream.slug}"; give each its own slug`
          )
        }
        bySlug.set(upstream.slug, upstream)
      }
      return { find: (slug) => bySlug.get(slug) }
    })
}
