/** What all requests of a time, or those that a filter selects, add up to. */
import type { ComponentChildren } from "preact"
import type { SeriesData } from "../../charts/fillBuckets.ts"
import { Money } from "../../components/Money.tsx"
import { formatCompact, formatCount, formatShare } from "../../format/format.ts"
import { units } from "../../format/formatUsage.ts"
import { toHash } from "../../routing/location.ts"
import { type TimeRange, toRangeLink } from "../../routing/timeRange.ts"

export const SpendFigures = ({
  cacheSavings,
  data,
  filter: all = {},
  range
}: {
  /** About how many USD prompt caches saved; undefined: not known. */
  readonly cacheSavings?: number | undefined
  /** The only series, such as that of the total. */
  readonly data: SeriesData
  /** Finds its requests; default: all. */
  readonly filter?: Readonly<Record<string, string>>
  readonly range: TimeRange
}) => {
  const totals = data.series[0]?.totals
  if (totals === undefined) return null
  const link = (filter: Readonly<Record<string, string>>, figure: ComponentChildren) => (
    <a href={toHash(["requests"], { ...all, ...filter, ...toRangeLink(range) })}>{figure}</a>
  )
  return (
    <dl class="figures">
      <Figure title="Cost">{link({}, <Money usd={totals.cost} />)}</Figure>
      <Figure title="Requests">{link({}, formatCount(totals.requests))}</Figure>
      <Figure title="Failed">
        {link({ outcome: "failed" }, formatShare(totals.errors / totals.requests))}
      </Figure>
      <Figure
        title="Prompt tokens from caches"
        hint={`${formatCount(totals.tokens_cached)} of ${formatCount(totals.tokens_prompt)}`}
      >
        {link({}, formatShare(toCachedShare(totals)))}
      </Figure>
      {cacheSavings !== undefined && totals.tokens_cached > 0 && (
        <Figure
          title="Saved by prompt caches, about"
          hint="At the present prices of the models; not part of the cost"
        >
          <Money usd={cacheSavings} />
        </Figure>
      )}
      {totals.response_cache_hits + totals.response_cache_misses > 0 && (
        <Figure
          title="Saved by the response cache"
          hint={`${formatCount(totals.response_cache_hits)} of ${formatCount(
            totals.response_cache_hits + totals.response_cache_misses
          )} requests that used it; not part of the cost`}
        >
          <Money usd={totals.response_cache_saved} />{" "}
          <span class="muted small">{formatShare(toHitShare(totals))} hits</span>
        </Figure>
      )}
      <Figure title="Tokens in / out">
        {link(
          {},
          `${formatCompact(totals.tokens_prompt)} / ${formatCompact(totals.tokens_completion)}`
        )}
      </Figure>
      {units
        .filter(({ count }) => count(totals) > 0)
        .map(({ count, format, title }) => (
          <Figure key={title} title={title}>
            {link({}, format(count(totals)))}
          </Figure>
        ))}
      <Figure
        title="On own credentials"
        hint="Billed by the providers to the owners of the credentials; not part of the cost"
      >
        {link({}, <Money usd={totals.upstream_inference_cost} />)}
      </Figure>
      {totals.unpriced_requests > 0 && (
        <Figure title="Of unknown cost" hint="Answered, but their price is not known">
          <span class="text-warn">{formatCount(totals.unpriced_requests)} requests</span>
        </Figure>
      )}
    </dl>
  )
}

const Figure = ({
  children,
  hint,
  title
}: {
  readonly title: string
  readonly hint?: string
  readonly children: ComponentChildren
}) => (
  <div title={hint}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
)

/** Null where no request used the cache of responses. */
export const toHitShare = ({
  response_cache_hits: hits,
  response_cache_misses: misses
}: {
  readonly response_cache_hits: number
  readonly response_cache_misses: number
}): number | null => (hits + misses === 0 ? null : hits / (hits + misses))

/** Null without prompt tokens. */
export const toCachedShare = ({
  tokens_cached: cached,
  tokens_prompt: prompt
}: {
  readonly tokens_cached: number
  readonly tokens_prompt: number
}): number | null => (prompt === 0 ? null : cached / prompt)
