/** Turns the cost of a model of https://models.dev, USD per million tokens, into an exact price list in USD per token. */
import type { PriceList } from "@signalbox/core/catalog"
import { omitUndefined } from "../../packages/core/src/values/ownFields.ts"
import type { PublishedCost, PublishedModel } from "./PublishedModel.ts"

type Override = NonNullable<PriceList["overrides"]>[number]

export const toPriceList = (provider: string, id: string, model: PublishedModel): PriceList => {
  const { cost, experimental } = model
  if (cost === undefined) throw new Error(`${provider}/${id} has no cost`)
  const tiers = (cost.tiers ?? [])
    .toSorted((one, other) => one.tier.size - other.tier.size)
    .map((tier): Override => {
      if ((tier.tier.type ?? "context") !== "context") {
        throw new Error(`${provider}/${id} has prices by ${tier.tier.type}, which is unknown here`)
      }
      return { min_prompt_tokens: toExcludedSize(id, tier.tier.size), ...toInputParts(id, tier) }
    })
  // What a fast answer to a long prompt costs, the list does not say.
  const modes = tiers.length > 0 ? [] : Object.values(experimental?.modes ?? {})
  const overrides = [
    ...tiers,
    ...modes.flatMap((mode): ReadonlyArray<Override> => {
      const condition = toCondition(mode.provider?.body)
      return condition === undefined || mode.cost === undefined
        ? []
        : [{ ...condition, ...toInputParts(id, mode.cost) }]
    })
  ]
  const { audio, ...parts } = toInputParts(id, cost)
  return {
    ...parts,
    ...(audio === undefined ? undefined : { audio }),
    ...omitUndefined({
      audio_output: toUsdPerToken(cost.output_audio),
      internal_reasoning: toUsdPerToken(cost.reasoning)
    }),
    // The list does not know it, and nothing is free for being unknown.
    web_search: "-1",
    ...(overrides.length === 0 ? undefined : { overrides })
  }
}

/**
 * Prices of long prompts hold above a size at most providers (https://ai.google.dev/gemini-api/docs/pricing), and from it at
 * xAI (https://docs.x.ai/developers/models/grok-4.20-0309.md). The list does not distinguish them:
 * https://github.com/anomalyco/models.dev/pull/1755.
 */
const toExcludedSize = (id: string, size: number): number => (/grok/i.test(id) ? size - 1 : size)

/** The parts that may depend on conditions. */
const toInputParts = (id: string, cost: PublishedCost) =>
  omitUndefined({
    prompt: toUsdPerToken(cost.input),
    completion: makesVectors(id) ? "0" : toUsdPerToken(cost.output),
    audio: toUsdPerToken(cost.input_audio),
    input_cache_read: toUsdPerToken(cost.cache_read),
    input_cache_write: toUsdPerToken(cost.cache_write),
    // https://platform.claude.com/docs/en/build-with-claude/prompt-caching#pricing
    input_cache_write_1h:
      cost.cache_write !== undefined && /claude/i.test(id)
        ? toUsdPerToken(cost.input, 2n)
        : undefined
  })

/** How answers are served that cost something else; undefined: by something that no price depends on here. */
const toCondition = (
  body: Readonly<Record<string, unknown>> = {}
): Pick<Override, "service_tier" | "speed"> | undefined => {
  const [[name, value] = [], ...others] = Object.entries(body)
  if (others.length > 0 || typeof value !== "string") return undefined
  if (name === "service_tier") return { service_tier: value }
  return name === "speed" ? { speed: value } : undefined
}

/** They are listed as models of text. */
export const makesVectors = (id: string): boolean => /embed/i.test(id)

/** Exact: the digits of the number, divided by a million. 0 is unknown, because a part of a price is never free. */
export const toUsdPerToken = (perMillion: number | undefined, factor = 1n): string | undefined => {
  if (!perMillion) return undefined
  const [, whole = "", fraction = "", exponent = "0"] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(perMillion)) ?? []
  if (whole === "") throw new Error(`${perMillion} is no price`)
  const digits = String(BigInt(whole + fraction) * factor)
  const decimals = fraction.length + 6 - Number(exponent)
  if (decimals <= 0) return digits + "0".repeat(-decimals)
  const padded = digits.padStart(decimals + 1, "0")
  const text = `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
  return text.replace(/\.?0+$/, "") || "0"
}
