/** Dynamic suffixes, valid on any model. See https://openrouter.ai/docs/features/provider-routing. */

/** `:nitro` puts throughput first, `:floor` the lowest price, `:exacto` the most valid answers. */
export type Variant = "nitro" | "floor" | "exacto"

const variants: ReadonlySet<string> = new Set<Variant>(["nitro", "floor", "exacto"])

const isVariant = (suffix: string): suffix is Variant => variants.has(suffix)

/** `author/name:nitro` taken apart; undefined when the slug ends in no dynamic suffix. */
export const splitVariant = (
  slug: string
): { readonly base: string; readonly variant: Variant } | undefined => {
  const colon = slug.lastIndexOf(":")
  const suffix = slug.slice(colon + 1)
  return colon > 0 && isVariant(suffix)
    ? { base: slug.slice(0, colon), variant: suffix }
    : undefined
}
